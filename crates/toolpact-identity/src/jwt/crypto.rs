//! Signatures by `ring`, which TLS needs anyway.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::jwk::{EllipticCurve, ThumbprintHash};
use jsonwebtoken::signature::{Error, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, VerificationAlgorithm};

/// Has `jsonwebtoken` use this. It keeps one for the process; if the program has chosen another, that stays.
pub(super) fn install() {
    let _ = RING.install_default();
}

/// It verifies, and can do nothing else.
static RING: CryptoProvider = CryptoProvider {
    signer_factory: no_signer,
    verifier_factory: verifier,
    key_utils: KeyUtils {
        rsa_pub_components_from_private_key: no_rsa,
        rsa_pub_components_from_public_key: no_rsa,
        ec_pub_components_from_private_key: no_ec,
        ed_pub_components_from_private_key: no_ed,
        compute_digest: no_digest,
    },
};

fn unsupported<T>() -> Result<T> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "`jsonwebtoken` calls it so"
)]
fn no_signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    unsupported()
}

fn no_rsa(_: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
    unsupported()
}

fn no_ec(_: &[u8], _: Algorithm) -> Result<(EllipticCurve, Vec<u8>, Vec<u8>)> {
    unsupported()
}

fn no_ed(_: &[u8], _: &EllipticCurve) -> Result<Vec<u8>> {
    unsupported()
}

fn no_digest(_: &[u8], _: ThumbprintHash) -> Result<Vec<u8>> {
    unsupported()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "`jsonwebtoken` calls it so"
)]
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let how = how(*algorithm).ok_or(ErrorKind::UnsupportedAlgorithm)?;
    if algorithm.family() != key.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(RingVerifier {
        algorithm: *algorithm,
        how,
        key: key.clone(),
    }))
}

struct RingVerifier {
    algorithm: Algorithm,
    how: How,
    key: DecodingKey,
}

enum How {
    Rsa(&'static RsaParameters),
    Curve(&'static dyn VerificationAlgorithm),
}

/// `None` for what is signed with a key that verifies, too.
fn how(algorithm: Algorithm) -> Option<How> {
    Some(match algorithm {
        Algorithm::RS256 => How::Rsa(&signature::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => How::Rsa(&signature::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => How::Rsa(&signature::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => How::Rsa(&signature::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => How::Rsa(&signature::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => How::Rsa(&signature::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => How::Curve(&signature::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => How::Curve(&signature::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => How::Curve(&signature::ED25519),
        _ => return None,
    })
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        let verified = match (&self.how, self.key.kind()) {
            (How::Rsa(how), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(how, message, signature)
            }
            (How::Curve(how), DecodingKeyKind::SecretOrDer(key)) => {
                signature::UnparsedPublicKey::new(*how, key).verify(message, signature)
            }
            _ => return Err(Error::new()),
        };
        verified.map_err(|_| Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
