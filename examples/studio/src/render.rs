//! Sound: a clip as four beats of a click.

const RATE: u32 = 8_000;
const BEATS: u32 = 4;

/// A WAVE file of a clip at this tempo: one channel, eight bits.
pub fn wave(tempo: f64) -> Vec<u8> {
    // The clip may have been edited by hand.
    let beat = (f64::from(RATE) * 60.0 / tempo.clamp(40.0, 200.0)) as u32;
    let length = beat * BEATS;
    let mut file = Vec::with_capacity(44 + length as usize);
    let mut number = |value: u32, bytes: usize| file.extend(&value.to_le_bytes()[..bytes]);
    number(u32::from_le_bytes(*b"RIFF"), 4);
    number(36 + length, 4);
    number(u32::from_le_bytes(*b"WAVE"), 4);
    number(u32::from_le_bytes(*b"fmt "), 4);
    number(16, 4);
    // Uncompressed, one channel.
    number(1, 2);
    number(1, 2);
    number(RATE, 4);
    number(RATE, 4);
    number(1, 2);
    number(8, 2);
    number(u32::from_le_bytes(*b"data"), 4);
    number(length, 4);
    file.extend((0..length).map(|at| match at % beat {
        // A click: five milliseconds of a square wave.
        at if at < RATE / 200 => 64 + 128 * u8::from(at % 8 < 4),
        _ => 128,
    }));
    file
}
