"""Chinese, in simplified characters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Where a call stands, and how it ended.
        "state.open": "未结束",
        "state.waiting": "等待中",
        "state.awaiting_approval": "待审批",
        "state.queued": "排队中",
        "state.running": "运行中",
        "state.retrying": "重试中",
        "state.succeeded": "成功",
        "state.failed": "失败",
        "state.timed_out": "超时",
        "state.cancelled": "已取消",
        "state.denied": "已拒绝",
        "state.lost": "已丢失",
        # For whom a call waits: another call, or a limit on calls at once.
        "waits.call": "{state} (等待 {call})",
        "waits.limit": "{state} ({what} 同时最多 {number} 个)",
        # What has become of a turn.
        "turn.complete": "已完成",
        "turn.pending": "进行中",
        "turn.final": "最终回答",
        "turn.degenerate": "空响应",
        "turn.incomplete": "响应不完整",
        "turn.refused": "已拒绝回答",
        "turn.provider_error": "服务方错误",
        # The headings of a table of calls.
        "column.tool": "工具",
        "column.call": "调用",
        "column.lane": "通道",
        "column.attempts": "尝试次数",
        "column.waited": "等待",
        "column.ran": "运行",
        "column.outcome": "结果",
        # Lines and sums.
        "attempt.one": "尝试 {number} 次",
        "attempt.many": "尝试 {number} 次",
        "call.one": "{number} 个调用",
        "call.many": "{number} 个调用",
        "tally": "{number} 个{state}",
        "ran": "运行 {seconds}",
        "seconds": "{seconds} 秒",
        "comma": "，",  # noqa: RUF001 -- the comma of Chinese
        "about": "{display}（{call_id}）：{said}",  # noqa: RUF001 -- the marks of Chinese
        "summary": "轮次 {turn_id}：{said}",  # noqa: RUF001 -- as above
        # What is said of a result that has no view of its own.
        "view.none": "无内容",
        "view.cut": "{content}（已截断）",  # noqa: RUF001 -- as above
    }
)
