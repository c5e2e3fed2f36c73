"""Why a conversation is not going on."""

from __future__ import annotations

from enum import StrEnum


class EndReason(StrEnum):
    """Why a conversation is not going on."""

    #: The model has answered.
    FINAL = "final"
    #: Nothing goes on before a person has decided about a call, or answered a provider's server.
    APPROVAL = "approval"
    #: A call failed, and the policy wants a person to look before the model goes on.
    ASK = "ask"
    #: A call failed, and the policy stops there.
    STOPPED = "stopped"
    #: The model has responded as often as it may.
    ROUNDS = "rounds"
    #: The model asks for more calls than it may; those of its last response were not sent.
    CALLS = "calls"
    #: The time is over. Calls that are open go on, unless they were to be cancelled.
    SECONDS = "seconds"
    #: It has cost as much as it may, or the calls that the model asks for would make it too much.
    COST = "cost"
    #: The model neither asked for tools nor said anything.
    DEGENERATE = "degenerate"
    #: The model, or a filter of its provider, declined to answer.
    REFUSED = "refused"
    #: The provider could not answer.
    PROVIDER_ERROR = "provider_error"
    #: The response was cut off or broken off.
    INCOMPLETE = "incomplete"
