"""The webhook of the description: the request to a receiver of callbacks, and its response."""

from typing import Annotated

from fastapi import APIRouter, Header

from application.schemas.callbacks import CallbackBody

router = APIRouter(generate_unique_id_function=lambda route: route.name)


@router.post(
    "callback",
    tags=["Callback receiver"],
    responses={
        "2XX": {"description": "The callback was delivered."},
        "410": {"description": "The receiver wants no more of this callback. There is no further attempt."},
        "default": {"description": "The delivery failed and is retried; `Retry-After` is honoured."},
    },
    openapi_extra={"security": [], "x-internal": True},  # generators make no method of it
)
def callback(
    body: CallbackBody,
    webhook_id: Annotated[
        str,
        Header(
            description="Identifier of the event, the same at every attempt.",
            examples=["6f1c3f0e-7d0b-5b7e-9c55-2a4f0e8d1b3a"],
        ),
    ],
    webhook_timestamp: Annotated[
        str, Header(description="Time of the attempt, in seconds since 1970 (UTC).", examples=["1781260200"])
    ],
    webhook_signature: Annotated[
        str,
        Header(
            description="One or more signatures, separated by spaces.",
            examples=["v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="],
        ),
    ],
) -> None:
    """Undersign POSTs to the `callbackUrl` of a session after every change of its status, and when a recipient is
    invited in turn, opens the documents, signs, declines, or cannot be reached. `GET /api/v1/Events` returns the same
    events to clients without a receiver. The body contains the values that a recipient entered only if the session was
    created with `callbackValues`.

    **Verify the signature** (Standard Webhooks). `webhook-signature` holds one or more signatures such as `v1,K5oZ...`,
    separated by spaces; while a secret is rotated there are several, and one valid signature is enough. Each is the
    HMAC-SHA256, in base64, of `webhook-id`, a full stop, `webhook-timestamp`, a full stop, and the unchanged bytes of
    the body. The key is the part after `whsec_` of the organisation's secret, decoded from base64. Operators show the
    secret with `undersign webhook secret show` and rotate it with `undersign webhook secret rotate`; the old secret
    also signs for another 24 hours. Reject requests whose timestamp is more than five minutes from your clock.

    **Respond with 2xx** within 15 seconds, and do the work afterwards. Every other response is a failure; redirects are
    not followed. Failed deliveries are retried: at once, then after 5 seconds, 5 minutes, 30 minutes, and 2, 5, 10, 14,
    20 and 24 hours, each wait lengthened by up to a tenth, ten attempts in all. A `Retry-After` header in your response
    lengthens a wait, up to a day. A 410 response ends the attempts of this callback. If a receiver fails for three days
    without a success, its callbacks are paused until the operator resumes them. List Callbacks shows every attempt, and
    Redeliver Callback starts one at once.

    **Make your receiver idempotent by `webhook-id`**: callbacks are delivered at least once. They may arrive out of
    order: compare `data.sequence`, and ignore events with a lower number than the latest that you processed.
    """
