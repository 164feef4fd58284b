import {
	chmodSync,
	linkSync,
	lstatSync,
	readdirSync,
	readFileSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {breakHardLinks} from '../../../../src/pod/permissions/confine/break-hard-links.ts';
import {plainPath} from '../../../../src/pod/permissions/confine/effects.ts';
import type {Effect, Layer} from '../../../../src/pod/permissions/confine/layer.ts';
import {folderWith, layerOf} from '../../../helpers/layers.ts';

const file = (path: string): Effect => ({type: 'file', path, isNew: true});

/** A layer in which a command made a file \`.git/HEAD\` with a second name \`x\`. */
function linkedLayer(): {readonly layer: Layer; readonly upper: string} {
	const layer = layerOf(folderWith({'.git/config': ''}), merged => writeFileSync(join(merged, '.git/HEAD'), 'mine'));
	const upper = plainPath(layer.upper);
	linkSync(join(upper, '.git/HEAD'), join(upper, 'x'));
	return {layer, upper};
}

describe('hard links', () => {
	it('become files of their own with the same contents, mode and time', async () => {
		const {layer, upper} = linkedLayer();
		chmodSync(join(upper, '.git/HEAD'), 0o440);
		utimesSync(join(upper, '.git/HEAD'), 5, 5);
		await breakHardLinks(layer, [file('.git/HEAD')]);
		chmodSync(join(upper, 'x'), 0o600);
		writeFileSync(join(upper, 'x'), 'evil');
		expect(readFileSync(join(upper, '.git/HEAD'), 'utf8')).toBe('mine');
		expect(lstatSync(join(upper, '.git/HEAD'))).toMatchObject({nlink: 1, mode: 0o100440, mtimeMs: 5000});
		expect(readdirSync(upper).toSorted()).toEqual(['.git', 'x']);
	});

	it('have a name of any length', async () => {
		const {layer, upper} = linkedLayer();
		const name = '\u00fc'.repeat(255);
		linkSync(join(upper, 'x'), Buffer.from(`${upper}/${name}`, 'latin1'));
		await breakHardLinks(layer, [file(name)]);
		expect(lstatSync(join(upper, 'x')).nlink).toBe(2);
	});

	it('stay if a file has one name only', async () => {
		const {layer, upper} = linkedLayer();
		writeFileSync(join(upper, 'y'), 'y');
		const {ino} = lstatSync(join(upper, 'y'));
		await breakHardLinks(layer, [file('y'), {type: 'deleted', path: 'z'}]);
		expect(lstatSync(join(upper, 'y')).ino).toBe(ino);
	});

	it('are refused if their copies would fill the disk', async () => {
		const {layer, upper} = linkedLayer();
		truncateSync(join(upper, 'x'), 600);
		await breakHardLinks(layer, [file('.git/HEAD')], 600);
		linkSync(join(upper, 'x'), join(upper, 'y'));
		linkSync(join(upper, 'x'), join(upper, 'z'));
		await expect(breakHardLinks(layer, [file('y'), file('z')], 1199)).rejects.toMatchObject({code: 'EFBIG'});
	});
});
