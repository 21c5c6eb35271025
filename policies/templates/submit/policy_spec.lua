-- What my-policy promises: what it lets in, and as what.
describe("my-policy", function()
  it("takes what is not too large", function()
    local cluster = fx.cluster { gpus = 128 }
    cluster:submit(fx.workload { name = "large", gpus = 64, max_run = "1d" })
    assert.admits(cluster, "large")
  end)

  it("refuses what is, and says what to do", function()
    local cluster = fx.cluster { gpus = 128 }
    local _, problem = pcall(cluster.submit, cluster, fx.workload { name = "huge", gpus = 65 })
    assert.matches("a job may ask for 64 GPUs; split it", problem)
    local strict = fx.cluster { gpus = 128, params = { most = 1 } }
    assert.has_error(function() strict:submit(fx.workload { gpus = 2 }) end)
  end)

  it("puts a job that does not say how long behind one that does", function()
    local cluster = fx.cluster { gpus = 1 }
    cluster:submit { fx.workload { name = "silent", gpus = 1, waited = "1h" },
      fx.workload { name = "said", gpus = 1, max_run = "30d" } }
    assert.admits(cluster, "said")
  end)

  it("but not behind those of even less priority", function()
    local cluster = fx.cluster { gpus = 1 }
    cluster:submit { fx.workload { name = "silent", gpus = 1, waited = "1h" },
      fx.workload { name = "last", gpus = 1, max_run = "1h", priority = -1 } }
    assert.admits(cluster, "silent")
  end)
end)
