import {readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifyChildren} from '../../../../src/pod/disk/check/verify-blobs.ts';
import {calls, child, itemsOf, openFamily, says} from '../../../helpers/family.ts';

async function family() {
	const told = await openFamily({
		parent: [calls(child('Look round.')), says('Done.')],
		children: {'Look round.': [says('Seen.'), says('Again.')]},
	});
	await told.run('Go');
	await told.rest();
	const [started] = itemsOf(told.items(), 'child_started');
	return {told, id: started!.child, file: join(told.session.dir, 'children', started!.child, 'history.json')};
}

async function verdict(dir: string) {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	return verifyChildren(read.session);
}

describe('the check of child sessions', () => {
	it('finds them whole, also when the user wrote to one after its end', async () => {
		const {told, id} = await family();
		expect(await verdict(told.session.dir)).toMatchObject({ok: true, count: 1, findings: []});
		const opened = await told.pod.child(id);
		if (!opened.ok) throw new Error(opened.sentence);
		const over = new Promise<void>(resolve => {
			opened.pod.subscribe(event => {
				if (event.type === 'item' && event.item.type === 'run_end') resolve();
			});
		});
		await opened.pod.send({method: 'run', segments: [{type: 'text', text: 'And now?'}]});
		await over;
		const after = await verdict(told.session.dir);
		expect(after.ok).toBe(true);
		expect(after.sessions[0]?.items.some(item => item.type === 'message' && item.text === 'Again.')).toBe(true);
	});

	it('reports one that is cut, changed or missing', async () => {
		const {told, file} = await family();
		const text = await readFile(file, 'utf8');
		const lines = text.split('\n');
		await writeFile(file, [...lines.slice(0, -4), lines.at(-4)!.replace(/,$/, ''), ']}', ''].join('\n'));
		expect(await verdict(told.session.dir)).toMatchObject({ok: false, findings: [{level: 'failure', path: file}]});
		await writeFile(file, text.replace('Seen.', 'Sown.'));
		expect((await verdict(told.session.dir)).ok).toBe(false);
		await rm(file);
		expect(await verdict(told.session.dir)).toMatchObject({ok: false, findings: [{level: 'failure'}]});
	});

	it('notes one that the history does not name', async () => {
		const {told, id} = await family();
		const folder = join(told.session.dir, 'children');
		await rename(join(folder, id), join(folder, '01JDAAAAAAAAAAAAAAAAAAAAAA'));
		const {ok, findings} = await verdict(told.session.dir);
		expect(ok).toBe(false);
		expect(findings.map(({level}) => level)).toEqual(['failure', 'note']);
	});
});
