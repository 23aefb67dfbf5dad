//! Who calls tools.
//!
//! - [`Identity`] finds out who sends a request: by one token for all, by [named tokens](TokenFile), by JWTs of
//!   issuers that are trusted, or by the certificate of the client. It is an
//!   [`Authenticator`](toolpact_http::Authenticator).
//! - [`IdentityConfig`] is the config of that.
//! - [`ProtectedResource`] tells OAuth clients where to get a token, and which scopes tools need.
//!
//! ```
//! use toolpact_identity::{Identity, IdentityConfig};
//!
//! let config: IdentityConfig = serde_json::from_str(r#"{"tokens": "tokens.json"}"#)?;
//! let identity = Identity::new(&config, Some("s3cret"))?;
//! assert!(identity.asks());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod authenticator;
mod config;
mod error;
mod jwt;
mod oauth;
mod scopes;
mod secret_text;
mod tokens;
mod wildcard;

pub use authenticator::Identity;
pub use config::{Algorithm, ClaimNames, IdentityConfig, Jwks, JwtConfig, OAuthConfig};
pub use error::IdentityError;
pub use oauth::{METADATA_PATH, ProtectedResource};
pub use scopes::{NeededScopes, ScopeGuard};
pub use tokens::{Expiry, NamedToken, NewToken, TokenFile};
