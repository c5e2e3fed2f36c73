"""`python -m toolferry_worker`: what `celery -A toolferry_worker worker` runs, without the rest.

The `celery` program imports all of its commands, a shell among them, before it runs the one that
was asked for: a fifth of the time that a worker takes to start. This takes the same options.
"""

from __future__ import annotations

from celery.bin.base import CLIContext
from celery.bin.worker import worker

from toolferry_worker.application import app

if __name__ == "__main__":
    worker.params.extend(app.user_options["worker"])
    # Variables such as CELERY_WORKER_LOGLEVEL hold as they do there.
    worker.main(
        prog_name="celery worker",
        auto_envvar_prefix="CELERY_WORKER",
        obj=CLIContext(app=app, no_color=False, workdir=None, quiet=True),
    )
