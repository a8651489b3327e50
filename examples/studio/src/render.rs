//! Sound: a clip as four beats of a click.

const RATE: u32 = 8_000;
const BEATS: u32 = 4;

/// A WAVE file of a clip at this tempo: one channel, eight bits.
pub fn wave(tempo: f64) -> Vec<u8> {
    // The clip may have been edited by hand.
    let beat = (f64::from(RATE) * 60.0 / tempo.clamp(40.0, 200.0)) as u32;
    let length = beat * BEATS;
    let header: [&[u8]; 7] = [
        b"RIFF",
        &(36 + length).to_le_bytes(),
        b"WAVEfmt \x10\0\0\0\x01\0\x01\0",
        &RATE.to_le_bytes(),
        &RATE.to_le_bytes(),
        b"\x01\0\x08\0data",
        &length.to_le_bytes(),
    ];
    let mut file = header.concat();
    file.extend((0..length).map(|at| match at % beat {
        // A click: five milliseconds of a square wave.
        at if at < RATE / 200 => 64 + 128 * u8::from(at % 8 < 4),
        _ => 128,
    }));
    file
}
