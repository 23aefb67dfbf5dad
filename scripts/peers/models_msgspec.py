"""The inputs as msgspec structs: strict, arguments closed, results open."""

from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder

T = TypeVar("T")
N = TypeVar("N")
Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Moment = Annotated[datetime, Meta(tz=True)]


class Closed(Struct, forbid_unknown_fields=True):
    pass


class Open(Struct):
    pass


class Call(Closed, Generic[N, T]):
    name: N
    args: T


class Account(Closed):
    account_id: str
    account_type: Literal["checking", "savings", "credit", "investment"]


class TransactionMetadata(Closed):
    merchant: str | UnsetType = UNSET
    reference: str | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET


class Transaction(Closed):
    transaction_id: str
    amount: float
    currency: Literal["USD", "EUR", "GBP", "JPY", "CAD", "AUD"]
    timestamp: str
    category: Literal["income", "expense", "transfer", "investment", "fee"]
    account: Account
    metadata: TransactionMetadata | UnsetType = UNSET


class ValidationRules(Closed):
    max_amount: float | UnsetType = UNSET
    allowed_currencies: list[str] | UnsetType = UNSET
    require_merchant: bool | UnsetType = UNSET


class ProcessData(Closed):
    transactions: list[Transaction]
    output_format: Literal["summary", "detailed", "csv", "json"]
    validation_rules: ValidationRules | UnsetType = UNSET


class Assignee(Closed):
    team: str
    user_id: str | UnsetType = UNSET


class Attachment(Closed):
    filename: str
    content_type: str
    size: int | UnsetType = UNSET


class Ticket(Closed):
    title: str
    description: str
    priority: Literal["low", "medium", "high", "critical"]
    category: Literal["technical", "billing", "account", "feature_request"]
    assignee: Assignee | UnsetType = UNSET
    attachments: list[Attachment] | UnsetType = UNSET


class Participant(Closed):
    email: str
    role: Literal["organizer", "required", "optional"]
    send_invitation: bool | UnsetType = UNSET


class Location(Closed):
    type: Literal["physical", "virtual", "hybrid"]
    address: str | UnsetType = UNSET
    virtual_link: str | UnsetType = UNSET
    room_capacity: int | UnsetType = UNSET


class Recurrence(Closed):
    pattern: Literal["daily", "weekly", "monthly", "yearly"]
    interval: int | UnsetType = UNSET
    end_date: str | UnsetType = UNSET
    occurrences: int | UnsetType = UNSET


class Meeting(Closed):
    title: str
    start_time: str
    duration_minutes: int
    participants: list[Participant]
    location: Location | UnsetType = UNSET
    recurrence: Recurrence | UnsetType = UNSET


class Failure(Open):
    code: str
    message: str


class User(Open):
    user_id: str
    username: str
    created_at: str


class Metadata(Open):
    timestamp: Moment
    request_id: str
    duration_ms: int


class ObjectResult(Open):
    success: bool
    data: User | UnsetType = UNSET
    error: Failure | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class Processed(Open):
    processed_at: str
    rows: int


class Item(Open):
    id: str
    success: bool
    data: Processed | UnsetType = UNSET
    error: Failure | UnsetType = UNSET


class Repeated(Failure):
    count: int


class BatchResult(Open):
    success: bool
    batch_id: str
    total: Count
    successful: Count
    failed: Count
    items: list[Item]
    errors: list[Repeated]


class Product(Open):
    id: str
    name: str
    price: float
    in_stock: bool
    tags: list[str]
    created_at: str


class Pagination(Open):
    page: Number
    per_page: Number
    total: Count
    total_pages: Count
    has_next: bool
    has_prev: bool


class ListResult(Open):
    success: bool
    data: list[Product]
    pagination: Pagination


FINANCE = Call[Literal["process_financial_data"], ProcessData]
MODELS = {
    "process_financial_data_2": FINANCE,
    "process_financial_data_1000": FINANCE,
    "create_support_ticket": Call[Literal["create_support_ticket"], Ticket],
    "schedule_meeting": Call[Literal["schedule_meeting"], Meeting],
    "ObjectResult": ObjectResult,
    "BatchResult_1000": BatchResult,
    "ListResult_10000": ListResult,
}


def checker(case):
    return Decoder(MODELS[case], strict=True).decode
