import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	renameSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {mergeLayer} from '../../../../src/pod/permissions/confine/cell-caches.ts';
import {copyTree} from '../../../../src/pod/permissions/confine/copy-tree.ts';
import {layerPath} from '../../../../src/pod/permissions/confine/effects.ts';

function folder(): string {
	const home = realpathSync(mkdtempSync(join(tmpdir(), 'inkpod-copy-')));
	onTestFinished(async () => rm(home, {recursive: true, force: true, maxRetries: 5}));
	return home;
}

it('never copies through a link in the place of a file', () => {
	const top = folder();
	writeFileSync(join(top, 'from'), 'evil');
	symlinkSync(join(top, 'outside'), join(top, 'to'));
	expect(() => copyTree(layerPath(join(top, 'from')), layerPath(join(top, 'to')))).toThrow('EEXIST');
	expect(existsSync(join(top, 'outside'))).toBe(false);
});

it('never merges a cache through a link that takes the place of a folder meanwhile', async () => {
	const top = folder();
	for (const name of ['upper/x', 'cache/x', 'outside']) mkdirSync(join(top, name), {recursive: true});
	for (const name of ['1', '2']) writeFileSync(join(top, 'upper/x', name), 'evil');
	let turns = 0;
	const swap = async () => {
		// The first two are the folders themselves.
		if (++turns !== 3) return;
		renameSync(join(top, 'cache/x'), join(top, 'cache/y'));
		symlinkSync(join(top, 'outside'), join(top, 'cache/x'));
	};
	const pace = {isDue: () => true, breathe: swap};
	await mergeLayer(layerPath(join(top, 'upper')), layerPath(join(top, 'cache')), pace);
	expect(readdirSync(join(top, 'outside'))).toEqual([]);
	expect(readdirSync(join(top, 'cache/y'))).toEqual(['1', '2']);
});
