"""One HyperQueue worker in a process of its own, so that it can be killed: worker.py SERVER_DIRECTORY

The wheel starts workers as threads of the process that has the server. A second cluster whose directory points to
the first server's access file makes its worker join that server instead.
"""

import os
import sys
import tempfile
import time

from hyperqueue.ffi.cluster import Cluster

server = os.path.realpath(os.path.join(sys.argv[1], "hq-current"))
own = tempfile.mkdtemp(prefix="worker-", dir=os.path.dirname(os.path.abspath(sys.argv[1])))
cluster = Cluster(own)
link = os.path.join(own, "hq-current")
os.unlink(link)
os.symlink(server, link)
cluster.add_worker(1)
print("ready", flush=True)
while True:
    time.sleep(60)
