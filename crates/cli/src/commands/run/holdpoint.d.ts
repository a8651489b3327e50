// What a Holdpoint script yields, for editors. Put this file beside your scripts
// (`holdpoint run --types > holdpoint.d.ts`) and begin each one with
//
//     /// <reference path="holdpoint.d.ts" />
//
// A method that says `@returns {Script<string>}` has its yields completed and checked.

/** A script's method: it yields what it wants, and returns a `T`. */
type Script<T = unknown> = Generator<Holdpoint.Yield, T, any>;

/** A script's method that also awaits. */
type AsyncScript<T = unknown> = AsyncGenerator<Holdpoint.Yield, T, any>;

/** A whole number, for `@param {integer} n`. */
type integer = number;

declare namespace Holdpoint {
  /** Everything that a script can yield. */
  type Yield = Ask | Ask[] | Emit | Checkpoint | Sleep | Effect | Promise<unknown>;

  // ---- Asks: a person answers --------------------------------------------------------------

  /** A question to a person. The yield gives the answer, or throws an {@link AskError}. */
  type Ask =
    | TextAsk | PasswordAsk | ConfirmAsk | SelectAsk | NumberAsk | RatingAsk
    | FileAsk | DateAsk | FormAsk | UrlAsk;

  /** What every ask has. */
  interface AskBase {
    /** Its name in this run: the key of an answer given beforehand. */
    id?: string;
    /** The question, as short Markdown. */
    message: string;
    /** More to read before answering, as Markdown. */
    details?: string;
    /**
     * Whether there must be an answer; true where it is not said. Where it is false, a field that
     * is left empty gives `null`, and so does nobody being reachable.
     */
    required?: boolean;
    /** A yes cannot be taken back: shown so, never answered beforehand, and behind the PIN. */
    dangerous?: boolean;
    /** What is typed for a dangerous yes: 3 to 32 letters or digits; "confirm" where there is none. */
    word?: string;
    /** What a dangerous yes leads to, such as "It can be rolled back for 7 days". */
    consequence?: string;
    /** How long it waits, in seconds (5 to 86,400). */
    timeout?: number;
  }

  /** A text. Gives a string. */
  interface TextAsk extends AskBase {
    ask: 'text';
    /** What the field is filled with at first. It is no answer until a person sends it. */
    default?: string;
    /** An example, shown while the field is empty. */
    placeholder?: string;
    /** A regular expression that the whole text must match. */
    pattern?: string;
    /** The fewest characters. */
    minLength?: number;
    /** The most characters. */
    maxLength?: number;
    /** Room for several lines. */
    multiline?: boolean;
  }

  /** A text that is masked, kept nowhere and asked for again after a restart. Gives a string. */
  interface PasswordAsk extends AskBase {
    ask: 'password';
  }

  /**
   * A yes or a no. Gives `true` only for a person's yes, and `false` where they answer no; a question
   * that is declined is thrown. Nothing is ever filled in: a default here is ignored.
   */
  interface ConfirmAsk extends AskBase {
    ask: 'confirm';
    /** Accepted for the sake of older scripts; it is never an answer, and never shown. */
    default?: boolean;
  }

  /** One of several options; with `multi`, some of them. Gives the value, or a list of values. */
  interface SelectAsk extends AskBase {
    ask: 'select';
    options: (string | SelectOption)[];
    /** Several may be chosen. */
    multi?: boolean;
    /** What is selected at first. A select with a default is a setting: it decides nothing. */
    default?: string | string[];
    /** A hint that the list can be searched; long lists can be anyway. */
    searchable?: boolean;
  }

  interface SelectOption {
    value: string;
    /** What people see; the value where there is none. */
    label?: string;
    /** A line that explains it. */
    description?: string;
    /** It is shown, and cannot be chosen. */
    disabled?: boolean;
    /** Why it cannot be chosen. */
    disabledReason?: string;
    /** It is marked as recommended; nothing is chosen for a person. */
    selected?: boolean;
    price?: number;
    currency?: string;
    badge?: string;
  }

  /** A number. Gives a number. */
  interface NumberAsk extends AskBase {
    ask: 'number';
    min?: number;
    max?: number;
    /** The distance between two valid numbers. */
    step?: number;
    default?: number;
  }

  /** One to `max` stars. Gives a number. */
  interface RatingAsk extends AskBase {
    ask: 'rating';
    /** The best; 5 where it is not said. */
    max?: number;
    /** What one star means. */
    lowLabel?: string;
    /** What all of them mean. */
    highLabel?: string;
  }

  /** A file. Gives a {@link GivenFile}, or a list of them with `multiple`. */
  interface FileAsk extends AskBase {
    ask: 'file';
    /** Endings or MIME types that are wanted, as in HTML: `.csv,image/*`. */
    accept?: string;
    multiple?: boolean;
  }

  interface GivenFile {
    name: string;
    /** In bytes. */
    size: number;
    sha256: string;
    /** Where it is on this machine. */
    path: string;
  }

  /** A day, `2026-07-28`; with `includeTime` a moment, `2026-07-28T09:30:00Z`. Gives a string. */
  interface DateAsk extends AskBase {
    ask: 'date';
    includeTime?: boolean;
    min?: string;
    max?: string;
    default?: string;
  }

  /** Several fields at once, by a flat JSON Schema. Gives an object. */
  interface FormAsk extends AskBase {
    ask: 'form';
    schema: {
      type?: 'object';
      properties: Record<string, object>;
      required?: string[];
    };
  }

  /** An address to visit, shown in full. Gives `true` once the person says that they are done. */
  interface UrlAsk extends AskBase {
    ask: 'url';
    /** `https://…` or `http://…` */
    url: string;
  }

  /** What an ask throws that was not answered. Uncaught, it is the result of the run. */
  interface AskError extends Error {
    name: 'AskError';
    outcome: 'declined' | 'cancelled' | 'timed_out' | 'unreachable' | 'invalid' | 'withdrawn';
    /** What the person said with their no. */
    reason?: string;
    /** Which one of several that were asked together. */
    index?: number;
  }

  // ---- Emits: told, not asked; each gives undefined ----------------------------------------

  /** Something to show while the script runs. */
  type Emit =
    | { emit: 'status'; message: string }
    /** `value` goes from 0 to 1. */
    | { emit: 'progress'; value: number; message?: string }
    | { emit: 'log'; message: string; level?: 'debug' | 'info' | 'warn' | 'error'; data?: unknown }
    | { emit: 'toast'; message: string; type?: 'success' | 'info' | 'warning' | 'error' }
    | { emit: 'thinking'; active: boolean; message?: string }
    /** A piece of a text; the whole becomes an artifact. */
    | { emit: 'stream'; data: unknown; final?: boolean }
    | { emit: 'qr'; value: string; message?: string }
    /** Shown as Markdown, text or JSON. */
    | { emit: 'render'; format: string; value: unknown }
    | { emit: 'ui'; id?: string; title?: string; data?: unknown; inline?: string }
    | Artifact;

  /** Something that the script made, shown beside its result. */
  interface Artifact {
    emit: 'artifact';
    type: 'text' | 'markdown' | 'code' | 'json' | 'image';
    title?: string;
    /** The text itself; base64 for an image; any value for JSON. */
    content: unknown;
    /** Of code, such as `js`. */
    language?: string;
    /** Of an image, such as `image/png`. */
    mimeType?: string;
  }

  // ---- Steps: on record, done once, whatever happens to the process ------------------------

  /** Records the state. Gives it back, also when the script is run again. */
  interface Checkpoint {
    checkpoint: true;
    state?: unknown;
  }

  /** Waits, in milliseconds; a day at most. After a restart only the rest is waited. */
  interface Sleep {
    sleep: number;
  }

  /** What a script keeps from one call to the next, in this workspace: `this.memory`. */
  interface Memory {
    /** `null` where there is none. */
    get<T = any>(key: string): Promise<T | null>;
    /** At most 64 KB as JSON, and 1 MB in all. */
    set(key: string, value: unknown): Promise<void>;
    has(key: string): Promise<boolean>;
    /** Whether there was one. */
    delete(key: string): Promise<boolean>;
    keys(): Promise<string[]>;
    clear(): Promise<void>;
    getAll<T = any>(): Promise<Record<string, T>>;
    update<T = any>(key: string, change: (value: T | null) => T): Promise<T>;
  }

  /** What every class of a script has, unless it defines it itself. */
  interface Tool {
    /** Reports something without a `yield`. */
    emit(emit: Emit): void;
    emit(kind: string, what?: unknown): void;
    render(format?: string, value?: unknown): void;
    /** Builds an ask to be yielded. */
    ask(kind: Ask['ask'], message: string, options?: object): Ask;
    /** Asks a person; true only for their yes. */
    confirm(message: string): Promise<boolean>;
    elicit<T = any>(ask: Ask): Promise<T>;
    memory: Memory;
  }

  /** Something done to the world. It must be declared in `export const permissions`. */
  type Effect = Run | Read | Write | Fetch;

  /** Runs a program with its arguments, without a shell. Gives a {@link Ran}, whatever its exit code is. */
  interface Run {
    run: string[];
    /** A folder of the workspace; the workspace itself where it is not said. */
    cwd?: string;
    /** In seconds; 60 where it is not said. */
    timeout?: number;
    /** Its standard input. */
    input?: string;
  }

  interface Ran {
    code: number | null;
    stdout: string;
    stderr: string;
    /** More than 1 MB was said, and only the first of it is here. */
    truncated?: boolean;
  }

  /** Reads a text file. Gives a string. */
  interface Read {
    read: string;
  }

  /** Writes a text file, whole or not at all. */
  interface Write {
    write: string;
    text: string;
  }

  /** Asks a server. Gives a {@link Fetched}, whatever its status is. */
  interface Fetch {
    fetch: string;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** In seconds. */
    timeout?: number;
  }

  interface Fetched {
    status: number;
    /** Whether the status is one of 200 to 299. */
    ok: boolean;
    /** Where the answer came from, in the end. */
    url: string;
    headers: Record<string, string>;
    body: string;
  }

  /** What a file may do, at most. A person is asked once for each version of the file. */
  interface Permissions {
    /** Names of programs. */
    run?: string[];
    /** Folders or files of the workspace. */
    read?: string[];
    /** Folders or files of the workspace. */
    write?: string[];
    /** Hosts. */
    net?: string[];
  }
}

/** Photon's module, built in: functions that build what is yielded. */
declare module '@portel/photon-core' {
  type Options = Record<string, unknown>;
  const ask: {
    text(message: string, options?: Options): Holdpoint.TextAsk;
    password(message: string, options?: Options): Holdpoint.PasswordAsk;
    confirm(message: string, options?: Options): Holdpoint.ConfirmAsk;
    select(message: string, options: (string | Holdpoint.SelectOption)[], more?: Options): Holdpoint.SelectAsk;
    number(message: string, options?: Options): Holdpoint.NumberAsk;
    file(message: string, options?: Options): Holdpoint.FileAsk;
    date(message: string, options?: Options): Holdpoint.DateAsk;
    form(message: string, schema: Holdpoint.FormAsk['schema'], options?: Options): Holdpoint.FormAsk;
    url(message: string, url: string, options?: Options): Holdpoint.UrlAsk;
  };
  const emit: {
    status(message: string, type?: string): Holdpoint.Emit;
    progress(value: number, message?: string, meta?: unknown): Holdpoint.Emit;
    stream(data: unknown, final?: boolean, contentType?: string): Holdpoint.Emit;
    log(message: string, level?: string, data?: unknown): Holdpoint.Emit;
    toast(message: string, type?: string, duration?: number): Holdpoint.Emit;
    thinking(active: boolean): Holdpoint.Emit;
    artifact(type: string, fields: Options): Holdpoint.Emit;
    ui(id: string | null, fields?: Options): Holdpoint.Emit;
    qr(value: string, message?: string): Holdpoint.Emit;
    render(format: string, value?: unknown): Holdpoint.Emit;
  };
  const io: { ask: typeof ask; emit: typeof emit };
  interface Photon extends Holdpoint.Tool {}
  class Photon {}
  const PhotonMCP: typeof Photon;
  function isAskYield(thing: unknown): boolean;
  function isEmitYield(thing: unknown): boolean;
  function isCheckpointYield(thing: unknown): boolean;
  function getAskType(ask: Holdpoint.Ask): string;
  function getEmitType(emit: Holdpoint.Emit): string;
  export { io, ask, emit, Photon, PhotonMCP, isAskYield, isEmitYield, isCheckpointYield, getAskType, getEmitType };
}

declare module '@portel/photon' {
  export * from '@portel/photon-core';
}
