"""That results answer calls."""


def unanswered(ids):
    """The ids that do not pair up. Where messages carry none, there is nothing to say."""
    calls, results = ids
    return [f"{id!r}: a result of no call" for id in results if id not in calls] + [
        f"{id!r}: a call without a result" for id in calls if id not in results
    ]
