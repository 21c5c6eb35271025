-- What the specs share: files of the tree, folders that go again, values without what JSON adds.
local support = {}

--- The text of a file of the tree.
function support.read(path)
  local file = assert(io.open(os.getenv "MUSTER_TOP" .. "/" .. path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

support.NOON = 1767268800
--- Objects for jobs of team-a in queue jobs, and such a job.
support.QUEUES = support.read "examples/gateway-in-c/queues.yaml"
support.JOB = [[
apiVersion: batch/v1
kind: Job
metadata: {namespace: team-a, name: shape, labels: {kueue.x-k8s.io/queue-name: jobs}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: none, resources: {requests: {cpu: 1}}}
]]

--- A folder of its own.
function support.folder()
  local made = io.popen "mktemp -d"
  local path = made:read "*l"
  made:close()
  return path
end

function support.remove(folder)
  assert(folder:find "^/.+/.+", folder)
  os.execute("rm -rf '" .. folder .. "'")
end

--- A copy without the metatables that tell lists from objects.
function support.plain(value)
  if type(value) ~= "table" then
    return value
  end
  local copy = {}
  for name, each in pairs(value) do
    copy[name] = support.plain(each)
  end
  return copy
end

return support
