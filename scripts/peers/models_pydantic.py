"""The inputs as pydantic models: strict, arguments closed, results open."""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

T = TypeVar("T")
N = TypeVar("N")
Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]


class Closed(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Open(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class Call(Closed, Generic[N, T]):
    name: N
    args: T


class Account(Closed):
    account_id: str
    account_type: Literal["checking", "savings", "credit", "investment"]


class TransactionMetadata(Closed):
    merchant: str = None
    reference: str = None
    tags: list[str] = None


class Transaction(Closed):
    transaction_id: str
    amount: float
    currency: Literal["USD", "EUR", "GBP", "JPY", "CAD", "AUD"]
    timestamp: str
    category: Literal["income", "expense", "transfer", "investment", "fee"]
    account: Account
    metadata: TransactionMetadata = None


class ValidationRules(Closed):
    max_amount: float = None
    allowed_currencies: list[str] = None
    require_merchant: bool = None


class ProcessData(Closed):
    transactions: list[Transaction]
    validation_rules: ValidationRules = None
    output_format: Literal["summary", "detailed", "csv", "json"]


class Assignee(Closed):
    team: str
    user_id: str = None


class Attachment(Closed):
    filename: str
    content_type: str
    size: int = None


class Ticket(Closed):
    title: str
    description: str
    priority: Literal["low", "medium", "high", "critical"]
    category: Literal["technical", "billing", "account", "feature_request"]
    assignee: Assignee = None
    attachments: list[Attachment] = None


class Participant(Closed):
    email: str
    role: Literal["organizer", "required", "optional"]
    send_invitation: bool = None


class Location(Closed):
    type: Literal["physical", "virtual", "hybrid"]
    address: str = None
    virtual_link: str = None
    room_capacity: int = None


class Recurrence(Closed):
    pattern: Literal["daily", "weekly", "monthly", "yearly"]
    interval: int = None
    end_date: str = None
    occurrences: int = None


class Meeting(Closed):
    title: str
    start_time: str
    duration_minutes: int
    participants: list[Participant]
    location: Location = None
    recurrence: Recurrence = None


class Failure(Open):
    code: str
    message: str


class User(Open):
    user_id: str
    username: str
    created_at: str


class Metadata(Open):
    timestamp: AwareDatetime
    request_id: str
    duration_ms: int


class ObjectResult(Open):
    success: bool
    data: User = None
    error: Failure = None
    metadata: Metadata = None


class Processed(Open):
    processed_at: str
    rows: int


class Item(Open):
    id: str
    success: bool
    data: Processed = None
    error: Failure = None


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
    return TypeAdapter(MODELS[case]).validate_json
