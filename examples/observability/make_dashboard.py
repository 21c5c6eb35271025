"""Writes dashboard.json for Grafana: a panel for each row below, two side by side."""

import json
import pathlib

PANELS = [
    ("Jobs that wait", "short", [
        ("sum by (cluster_queue) (kueue_pending_workloads)", "{{cluster_queue}}")]),
    ("Jobs that run", "short", [
        ("sum by (cluster_queue) (kueue_admitted_active_workloads)", "{{cluster_queue}}")]),
    ("Use of nominal quota", "percentunit", [
        ("kueue_cluster_queue_resource_reservation / (kueue_cluster_queue_nominal_quota > 0)",
         "{{cluster_queue}} {{flavor}} {{resource}}")]),
    ("Borrowed", "short", [
        ("muster_cluster_queue_borrowed > 0", "{{cluster_queue}} {{flavor}} {{resource}}")]),
    ("Wait until quota was reserved, 90 of 100", "s", [
        ("histogram_quantile(0.9, sum by (le, cluster_queue) "
         "(rate(kueue_quota_reserved_wait_time_seconds_bucket[15m])))", "{{cluster_queue}}")]),
    ("Told to leave, an hour", "short", [
        ("sum by (cluster_queue, reason) (increase(kueue_evicted_workloads_total[1h]))",
         "{{cluster_queue}} {{reason}}")]),
    ("Dominant resource share", "short", [
        ("kueue_cluster_queue_weighted_share", "{{cluster_queue}}")]),
    ("Admitted, a minute", "short", [
        ("sum by (cluster_queue) (rate(kueue_admitted_workloads_total[5m])) * 60",
         "{{cluster_queue}}")]),
    ("A call until it is on disk", "s", [
        (f"histogram_quantile({q}, sum by (le) (rate(muster_answer_seconds_bucket[5m])))", f"p{n}")
        for q, n in ((0.5, 50), (0.99, 99))]),
    ("A cycle", "s", [
        (f"histogram_quantile({q}, sum by (le) (rate(muster_cycle_seconds_bucket[5m])))", f"p{n}")
        for q, n in ((0.5, 50), (0.99, 99))]),
    ("Hooks that failed, a minute", "short", [
        ("sum by (policy, hook) (rate(muster_policy_failures_total[5m])) * 60",
         "{{policy}} {{hook}}")]),
    ("Largest gang of whole nodes that has a place", "short", [
        ("muster_largest_gang", "{{topology}} {{level}}")]),
    ("The ledger", "bytes", [("muster_ledger_bytes", "bytes")]),
]


def panel(number, title, unit, targets):
    """One graph over time."""
    source = {"type": "prometheus", "uid": "${datasource}"}
    return {"id": number + 1, "type": "timeseries", "title": title, "datasource": source,
            "gridPos": {"h": 8, "w": 12, "x": 12 * (number % 2), "y": 8 * (number // 2)},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": [{"refId": chr(ord("A") + at), "expr": expr, "legendFormat": legend,
                         "datasource": source}
                        for at, (expr, legend) in enumerate(targets)]}


def dashboard():
    """What Grafana imports."""
    variable = {"name": "datasource", "type": "datasource", "query": "prometheus"}
    return {"title": "Muster", "uid": "muster", "schemaVersion": 39, "refresh": "30s",
            "time": {"from": "now-6h", "to": "now"}, "templating": {"list": [variable]},
            "panels": [panel(number, *row) for number, row in enumerate(PANELS)]}


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("dashboard.json").write_text(
        json.dumps(dashboard(), indent=1) + "\n", encoding="utf-8")
