//! Chance that can be repeated, and how much of it.

/// Numbers that look random; `ATTACK_SEED` repeats them.
pub struct Random(u64);

impl Random {
    pub fn new(part: u64) -> Self {
        let now = jiff::Timestamp::now().as_nanosecond() as u64;
        let seed = count("ATTACK_SEED", now);
        println!("ATTACK_SEED={seed}");
        Self((seed ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1)
    }

    /// A number below this one.
    pub fn below(&mut self, end: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) % end.max(1)
    }
}

/// The number in a variable, or the usual one.
pub fn count(variable: &str, usual: u64) -> u64 {
    match std::env::var(variable) {
        Ok(number) => number.parse().unwrap(),
        Err(_) => usual,
    }
}
