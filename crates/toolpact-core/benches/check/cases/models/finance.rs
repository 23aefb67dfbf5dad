//! `process_financial_data`.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProcessData {
    pub(crate) transactions: Vec<Transaction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_rules: Option<ValidationRules>,
    output_format: OutputFormat,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the specification says so")]
pub(crate) struct Transaction {
    pub(crate) transaction_id: String,
    pub(crate) amount: f64,
    pub(crate) currency: Currency,
    pub(crate) timestamp: String,
    pub(crate) category: Category,
    pub(crate) account: Account,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Currency {
    Usd,
    Eur,
    Gbp,
    Jpy,
    Cad,
    Aud,
}

impl Currency {
    pub(crate) const ALL: [Self; 6] = [
        Self::Usd,
        Self::Eur,
        Self::Gbp,
        Self::Jpy,
        Self::Cad,
        Self::Aud,
    ];
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    Income,
    Expense,
    Transfer,
    Investment,
    Fee,
}

impl Category {
    pub(crate) const ALL: [Self; 5] = [
        Self::Income,
        Self::Expense,
        Self::Transfer,
        Self::Investment,
        Self::Fee,
    ];
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Account {
    pub(crate) account_id: String,
    account_type: AccountType,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AccountType {
    Checking,
    Savings,
    Credit,
    Investment,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValidationRules {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_amount: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_currencies: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    require_merchant: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OutputFormat {
    Summary,
    Detailed,
    Csv,
    Json,
}
