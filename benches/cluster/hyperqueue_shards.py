"""An experiment in fifty shards through HyperQueue, one worker killed on the way.

usage: hyperqueue_shards.py FOGTREE

What the shards left is merged; the store must then hold, row by row, what one process alone finds. Everything stays
on this machine and in a temporary directory.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time

from hyperqueue import Job, LocalCluster

SHARDS = 50
CLOCKS = {"micros"}
FILE = """
title = "Shards through HyperQueue"
unit = 2
[agents]
flat = "flat-mc(iterations=400)"
mo = "mo-ismcts(iterations=400)"
random = "random"
[[tournaments]]
game = ["phantom-mnk(m=3,n=3,k=3)", "kuhn-poker"]
agents = ["flat", "mo", "random"]
pairing = "round-robin"
games = 20
"""


def main():
    fogtree = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="fogtree-hq-") as folder:
        file = os.path.join(folder, "shards.toml")
        with open(file, "w") as out:
            out.write(FILE)
        alone, spread = os.path.join(folder, "alone"), os.path.join(folder, "spread")
        run(fogtree, "experiment", "run", file, "--out", alone)
        run(fogtree, "experiment", "plan", file, "--out", spread, "--shards", str(SHARDS))
        starts = os.path.join(folder, "starts")
        through_hyperqueue(fogtree, spread, starts, folder)
        merged = json.loads(run(fogtree, "experiment", "merge", spread, "--json"))
        assert merged["missing"] == [] and merged["bad"] == [], merged
        expected, found = rows(fogtree, alone), rows(fogtree, spread)
        assert len(expected) == 2 * 2 * 3 * 20, len(expected)
        assert found == expected, "the merged store differs from that of one process"
        began = len(open(starts).read().split())
        print(f"{SHARDS} shards in {began} starts, one worker killed: {len(found)} rows as from one process")


def through_hyperqueue(fogtree, directory, starts, folder):
    server = os.path.join(folder, "server")
    os.mkdir(server)
    with LocalCluster(server_dir=server) as cluster:
        workers = [worker(server) for _ in range(2)]
        job = Job()
        for shard in range(SHARDS):
            # A little sleep keeps the victim busy when it is killed.
            command = f"echo {shard} >> {starts}; sleep 0.05; exec '{fogtree}' experiment work '{directory}' --shard {shard}"
            job.program(["bash", "-c", command], cwd=folder)
        client = cluster.client()
        submitted = client.submit(job)
        while count(os.path.join(directory, "shards")) < SHARDS // 4:
            time.sleep(0.02)
        workers[0].kill()
        workers[0].wait()
        client.wait_for_jobs([submitted])
        for process in workers[1:]:
            process.kill()
            process.wait()


def worker(server):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
    process = subprocess.Popen([sys.executable, script, server], stdout=subprocess.PIPE, text=True)
    assert any(line.strip() == "ready" for line in process.stdout), "the worker did not start"
    return process


def count(folder):
    return len(os.listdir(folder)) if os.path.isdir(folder) else 0


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def rows(fogtree, directory):
    """All rows without what depends on the clock."""
    table = csv.DictReader(io.StringIO(run(fogtree, "experiment", "export", directory)))
    return [{key: value for key, value in row.items() if key not in CLOCKS} for row in table]


if __name__ == "__main__":
    main()
