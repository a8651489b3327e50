/// <reference path="holdpoint.d.ts" />
// Releases a project that is kept in git: choose how far the version goes up, edit the notes, confirm;
// then the changelog is written, the version is set, and both are committed and tagged.
//
//     holdpoint run release.js preview
//     holdpoint run release.js tag

/** @type {Holdpoint.Permissions} */
export const permissions = {
  run: ['git'],
  read: ['package.json', 'Cargo.toml', 'CHANGELOG.md'],
  write: ['package.json', 'Cargo.toml', 'CHANGELOG.md'],
};

/** Releases of this repository. */
export default class Release {
  /**
   * Shows what is new since the last release.
   * @returns {Script<object>} the version now, and what the notes would say
   */
  *preview() {
    const project = yield* look();
    const notes = yield* notesSince(project.tag);
    yield { emit: 'artifact', type: 'markdown', title: `Since ${project.tag ?? 'the beginning'}`, content: notes };
    return { version: project.version, lastTag: project.tag, notes };
  }

  /**
   * Makes a release: changelog, version, commit and tag.
   * @param {boolean} [push=false] - push the commit and the tag too
   * @returns {Script<object>} the version, its tag and its commit
   */
  *tag({ push = false }) {
    yield { emit: 'status', message: 'Looking at the repository' };
    const project = yield* look();
    const dirty = yield* git('status', '--porcelain', '--untracked-files=no');
    if (dirty) throw new Error(`Commit or stash these first:\n${dirty}`);
    const proposed = yield* notesSince(project.tag);
    if (!proposed) yield { emit: 'log', level: 'warn', message: 'Nothing was committed since the last release' };

    const bump = yield {
      ask: 'select',
      id: 'bump',
      message: `The version is **${project.version}**. How far does it go up?`,
      options: ['patch', 'minor', 'major'].map((part) => ({
        value: part,
        label: `${part}: ${raised(project.version, part)}`,
        description: ABOUT[part],
      })),
    };
    const version = raised(project.version, bump);
    const notes = yield {
      ask: 'text',
      id: 'notes',
      message: `The notes of **${version}**, as people will read them`,
      default: proposed || undefined,
      multiline: true,
      maxLength: 20_000,
    };
    const tag = `v${version}`;
    const files = ['CHANGELOG.md', ...project.versioned];
    const sure = yield {
      ask: 'confirm',
      id: 'release',
      message: `Release **${tag}**${push ? ' and push it' : ''}?`,
      details: `${notes}\n\nWrites ${files.join(', ')}, commits, and tags the commit ${tag}.`,
      dangerous: true,
    };
    if (!sure) throw new Error('Nothing was released: the answer was no.');

    yield { emit: 'progress', value: 0.2, message: 'Writing' };
    yield { write: 'CHANGELOG.md', text: withSection(project.texts['CHANGELOG.md'], version, notes) };
    for (const file of project.versioned) {
      yield { write: file, text: SET[file](project.texts[file], version) };
    }
    yield { emit: 'progress', value: 0.6, message: 'Committing' };
    yield* git('add', '--', ...files);
    yield* git('commit', '--quiet', '-m', `Release ${version}`);
    yield* git('tag', '-a', tag, '-m', `${tag}\n\n${notes}`);
    const commit = yield* git('rev-parse', 'HEAD');
    if (push) {
      yield { emit: 'progress', value: 0.8, message: 'Pushing' };
      yield* git('push', '--follow-tags');
    }
    yield { emit: 'progress', value: 1, message: 'Released' };
    yield { emit: 'artifact', type: 'markdown', title: `Notes of ${tag}`, content: notes };
    return { version, tag, commit };
  }
}

const ABOUT = {
  patch: 'fixes only',
  minor: 'something new, nothing broken',
  major: 'something that was there is gone or different',
};

/** How a version is set in each file that has one. */
const SET = {
  'package.json': (text, version) => text.replace(/("version"\s*:\s*")[^"]*"/, `$1${version}"`),
  'Cargo.toml': (text, version) => text.replace(/^(version\s*=\s*")[^"]*"/m, `$1${version}"`),
};

/** The version of each file that has one. */
const VERSION = {
  'package.json': (text) => JSON.parse(text).version,
  'Cargo.toml': (text) => /^version\s*=\s*"([^"]*)"/m.exec(text)?.[1],
};

/** The project's files, their texts, its version and its last tag. */
function* look() {
  const listed = yield* git('ls-files', '--', 'CHANGELOG.md', ...Object.keys(VERSION));
  const files = listed.split('\n').filter(Boolean);
  const texts = {};
  for (const file of files) texts[file] = yield { read: file };
  const tags = yield* git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname');
  const tag = tags.split('\n').find(Boolean);
  const versioned = files.filter((file) => VERSION[file]?.(texts[file]));
  const version = versioned.length ? VERSION[versioned[0]](texts[versioned[0]]) : tag?.slice(1);
  return { texts, tag, versioned, version: version ?? '0.0.0' };
}

/** What was committed since a tag, as a list. */
function* notesSince(tag) {
  return yield* git('log', '--no-merges', '--format=- %s', tag ? `${tag}..HEAD` : 'HEAD');
}

/** What git says; its complaint is thrown. */
function* git(...args) {
  const { code, stdout, stderr } = yield { run: ['git', ...args] };
  if (code !== 0) throw new Error(`git ${args[0]}: ${stderr.trim() || `exit code ${code}`}`);
  return stdout.trim();
}

/** The next version. */
function raised(version, part) {
  const numbers = version.split('-')[0].split('.').map(Number);
  const at = ['major', 'minor', 'patch'].indexOf(part);
  return [0, 1, 2].map((n) => (n < at ? numbers[n] : n === at ? numbers[n] + 1 : 0)).join('.');
}

/** A changelog with a new section above the others. */
function withSection(changelog, version, notes) {
  const day = new Date().toISOString().slice(0, 10);
  const section = `## ${version} (${day})\n\n${notes.trim()}\n`;
  if (!changelog) return `# Changelog\n\n${section}`;
  const at = changelog.search(/^## /m);
  if (at < 0) return `${changelog.trimEnd()}\n\n${section}`;
  return `${changelog.slice(0, at)}${section}\n${changelog.slice(at)}`;
}
