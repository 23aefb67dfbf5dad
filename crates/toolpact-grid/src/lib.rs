//! Tools on other machines, under the same contract.
