import {
	chmodSync,
	copyFileSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {copyTree} from '../../src/pod/permissions/confine/copy-tree.ts';
import {layerPath} from '../../src/pod/permissions/confine/effects.ts';
import {identityOf} from '../../src/pod/platform/file-identity.ts';
import type {Layer} from '../../src/pod/permissions/confine/layer.ts';

/** Creates a folder with these files. A name with a final slash is a folder, a value `-> x` a link. */
export function folderWith(files: Readonly<Record<string, string>>): string {
	const home = realpathSync(mkdtempSync(join(tmpdir(), 'inkpod-l-')));
	onTestFinished(async () => rm(home, {recursive: true, force: true, maxRetries: 5}));
	const folder = join(home, 'project');
	mkdirSync(folder);
	for (const [name, content] of Object.entries(files)) {
		const path = join(folder, name);
		mkdirSync(join(path, name.endsWith('/') ? '' : '..'), {recursive: true});
		if (name.endsWith('/')) continue;
		if (content.startsWith('-> ')) symlinkSync(content.slice(3), path);
		else writeFileSync(path, content);
	}
	return folder;
}

/**
Makes the layer of a command by hand: it lets `change` change a copy of the folder, and puts what differs into an upper
layer, as overlayfs does. Deleted names are found in the merged folder, so there are no whiteouts.
*/
export function layerOf(folder: string, change: (merged: string) => void): Layer {
	const cell = join(folder, '..', 'cell');
	mkdirSync(cell, {recursive: true});
	const [merged, upper] = [join(cell, 'merged0'), join(cell, 'upper0')];
	copyTree(layerPath(folder), layerPath(merged));
	const known = identitiesOf(layerPath(folder));
	if (existsSync(join(folder, '.git/index'))) copyFileSync(join(folder, '.git/index'), join(cell, 'index0'));
	writeFileSync(join(cell, 'since'), '');
	const since = laterThan(join(cell, 'since'));
	change(merged);
	laterThan(join(cell, 'since'));
	mkdirSync(upper);
	copyChanges(layerPath(folder), layerPath(merged), layerPath(upper));
	const index = layerPath(join(cell, 'index0'));
	return {path: layerPath(folder), upper: layerPath(upper), merged: layerPath(merged), since, known, index};
}

/** Returns the identities of a folder and of those in it. A copy of a folder has other inodes. */
function identitiesOf(top: string): ReadonlyMap<string, string> {
	const known = new Map<string, string>();
	const open = [''];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		const stats = lstatSync(bytes(`${top}/${path}`));
		if (!stats.isDirectory()) continue;
		known.set(path, identityOf(stats));
		for (const name of readdirSync(bytes(`${top}/${path}`), 'latin1'))
			open.push(path === '' ? name : `${path}/${name}`);
	}
	return known;
}

/** Returns the time of the file system once it is later than everything that was changed before. */
function laterThan(file: string): number {
	const first = lstatSync(file).ctimeMs;
	for (;;) {
		writeFileSync(file, '');
		const {ctimeMs} = lstatSync(file);
		if (ctimeMs > first) return ctimeMs;
	}
}

function copyChanges(real: string, merged: string, upper: string): boolean {
	let differs = false;
	for (const name of readdirSync(bytes(merged), 'latin1')) {
		const [was, now, to] = [`${real}/${name}`, `${merged}/${name}`, `${upper}/${name}`];
		const [old, made] = [lstatSync(bytes(was), {throwIfNoEntry: false}), lstatSync(bytes(now))];
		if (made.isDirectory() && old?.isDirectory() === true) {
			mkdirSync(bytes(to), {mode: 0o700});
			const isChanged = copyChanges(was, now, to);
			chmodSync(bytes(to), made.mode & 0o7777);
			differs ||= isChanged || old.mode !== made.mode;
		} else if (old === undefined || fingerprint(was) !== fingerprint(now)) {
			copyTree(now, to);
			if (!made.isSymbolicLink()) chmodSync(bytes(to), made.mode & 0o7777);
			differs = true;
		}
	}
	return differs;
}

/** Returns everything in a folder: kind, permissions, and contents of each path. */
export function treeOf(folder: string): Readonly<Record<string, string>> {
	const tree: Record<string, string> = {};
	const visit = (path: string, name: string) => {
		if (name !== '') tree[name] = fingerprint(path);
		if (!lstatSync(bytes(path)).isDirectory()) return;
		for (const child of readdirSync(bytes(path), 'latin1').toSorted())
			visit(`${path}/${child}`, name === '' ? child : `${name}/${child}`);
	};
	visit(layerPath(folder), '');
	return tree;
}

function fingerprint(path: string): string {
	const stats = lstatSync(bytes(path));
	const mode = (stats.mode & 0o7777).toString(8);
	if (stats.isSymbolicLink()) return `link ${readlinkSync(bytes(path), 'latin1')}`;
	if (stats.isDirectory()) return `folder ${mode}`;
	return stats.isFile() ? `file ${mode} ${readFileSync(bytes(path), 'latin1')}` : 'special';
}

function bytes(path: string): Buffer {
	return Buffer.from(path, 'latin1');
}
