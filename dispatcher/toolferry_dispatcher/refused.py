"""What is kept of a call that must not run, besides its result: for who asks later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolferry_ledger import Refusal
from toolferry_ledger.shown import shown_arguments, value_text
from toolferry_policies import Hidden, brings_secrets, secrets_of

if TYPE_CHECKING:
    from toolferry_dispatcher.admission import Admitted, Origin


def refusal_of(index: int, one: Admitted, origin: Origin) -> Refusal:
    """Say which check refused a call, and with what it was asked for; without secrets.

    Args:
        index: Its position in its turn.
        one: The call with what was decided about it.
        origin: On whose behalf.
    """
    call, context = one.call, origin.context
    given = dict(call.arguments)
    if brings_secrets(one.tool, context):
        given = Hidden(secrets_of(one.tool, context, given)).out_of_data(given)
    return Refusal(
        turn_id=origin.turn_id,
        index=index,
        call_id=call.call_id,
        name=call.name,
        rule=one.rule,
        principal=context.principal,
        tenant=context.tenant,
        conversation_id=origin.conversation_id,
        arguments=shown_arguments(one.tool.parameters if one.tool else None, given),
        detail=value_text(one.detail),
        repairs=one.repairs,
    )
