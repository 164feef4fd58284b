import {readdir, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {keepPasted, pastedFolder, readPasted} from '../../../../src/pod/disk/bodies/pasted.ts';
import {png, sha256Of} from '../../../helpers/images.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {accepted, failures} from '../../references/submission/submit.ts';
import {tempHome} from '../fixture.ts';

describe('a pasted image', () => {
	it('is kept privately, and becomes an image of the message that names it', async () => {
		const pasted = pastedFolder((await tempHome()).home);
		const image = png(5, 4);
		const kept = await keepPasted(pasted, image.toString('base64'));
		const sha256 = sha256Of(image);
		expect(kept).toEqual({ok: true, sha256, extension: 'png'});
		expect((await stat(join(pasted.folder, sha256))).mode & 0o777).toBe(0o600);
		const ref = {type: 'file_ref', path: 'pasted-1.png', pasted: sha256} as const;
		const project = await tempProject({'pasted-1.png': 'a file with this name\n'});
		const {user, attachments} = await accepted(project, [{type: 'text', text: 'See '}, ref, ref], {pasted});
		expect(user.text).toBe('See @pasted-1.png@pasted-1.png');
		expect(attachments.map(({text}) => text)).toEqual([`[Image: pasted-1.png, 5x4, ${image.length} bytes]`]);
		await writeFile(join(pasted.folder, sha256), 'changed');
		expect(failures((await accepted(project, [ref], {pasted})).user)).toEqual(['not_found']);
		expect(failures((await accepted(project, [ref])).user)).toEqual(['not_found']);
	});

	it.each(['', 'hello', Buffer.from('%PDF-1.7').toString('base64'), '../../../etc/passwd'])(
		'is not kept when the bytes are none: %j',
		async data => {
			const pasted = pastedFolder((await tempHome()).home);
			expect(await keepPasted(pasted, data)).toEqual({ok: false, sentence: 'The clipboard contains no image.'});
		},
	);

	it('is removed after 64 later ones', async () => {
		const pasted = pastedFolder((await tempHome()).home);
		const images = Array.from({length: 66}, (_, n) => png(n + 1, 1));
		for (const [n, image] of images.entries()) {
			await keepPasted(pasted, image.toString('base64'));
			await utimes(join(pasted.folder, sha256Of(image)), 1000 + n, 1000 + n);
		}
		expect(await readdir(pasted.folder)).toHaveLength(64);
		expect(await readPasted(pasted, sha256Of(images[1] ?? png(1, 1)))).toBeUndefined();
		expect(await readPasted(pasted, sha256Of(images[65] ?? png(1, 1)))).toMatchObject({ok: true});
		expect(await readPasted(pasted, '../history.json')).toBeUndefined();
	});
});
