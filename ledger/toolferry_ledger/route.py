"""Routes: where a call waits, and which workers take it from there."""

from __future__ import annotations

from toolferry import DEFAULT_QUEUE, Lane, Priority, Tool
from toolferry.record import record


@record(frozen=True, slots=True)
class Pool:
    """The workers of one lane that serve one queue.

    >>> str(Pool(Lane.PROCESS, "gpu"))
    'gpu.process'
    """

    lane: Lane
    queue: str = DEFAULT_QUEUE

    def __str__(self) -> str:
        return f"{self.queue}.{self.lane}"

    @classmethod
    def of(cls, tool: Tool | None) -> Pool:
        """Give the pool that runs a tool's calls; the async one for a tool that is not known."""
        return cls(tool.lane, tool.queue) if tool else cls(Lane.ASYNC)

    @classmethod
    def read(cls, text: str) -> Pool:
        """Read what `str` gives.

        Raises:
            ValueError: The text is no pool, or one of a lane that is not known here.
        """
        queue, lane = text.split(".")
        return cls(Lane(lane), queue)

    @property
    def words(self) -> str:
        """Say which it is, for people; the queue is named only where there is a choice."""
        named = "" if self.queue == DEFAULT_QUEUE else f"queue {self.queue} of "
        return f"{named}the {self.lane.value} lane"

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes that end here, the most urgent first."""
        return tuple(Route(self, priority) for priority in Priority)


@record(frozen=True, slots=True)
class Route:
    """A pool and how urgent a call is there: calls of one route stand in one line.

    >>> str(Route(Pool(Lane.ASYNC), Priority.BULK))
    'default.async.bulk'
    """

    pool: Pool
    priority: Priority = Priority.NORMAL

    def __str__(self) -> str:
        return f"{self.pool}.{self.priority}"

    @classmethod
    def read(cls, text: str) -> Route:
        """Read what `str` gives.

        Raises:
            ValueError: The text is no route, or one of a priority that is not known here.
        """
        pool, _, priority = text.rpartition(".")
        return cls(Pool.read(pool), Priority(priority))
