import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, idle, onlyHistory, openChat, send} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';

const script = JSON.stringify([[{type: 'text', text: 'An answer.'}], [{type: 'text', text: 'Another one.'}]]);

describe('/rename', () => {
	it('names the session by an item, in the list, and for every command', async () => {
		const project = await tempProject({'script.json': script});
		const home = dirname(project.dir);
		const place = {cwd: project.dir, home};
		const terminal = await openChat({...place, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor(idle);
		await send(terminal, 'the first words');
		await terminal.waitFor(/An answer[^]*◦ idle/);
		await send(terminal, '/rename  A  title of mine ');
		await terminal.waitFor('Renamed to “A title of mine”');
		terminal.write('\x04');
		await terminal.exit;
		const {session, items} = await onlyHistory(home);
		expect(items.at(-1)).toMatchObject({type: 'title', title: 'A title of mine'});

		const listed = await runProgram({...place, args: ['sessions']});
		expect(listed.stdout).toContain('A title of mine');
		expect(listed.stdout).not.toContain('the first words');
		for (const name of ['a title of mine', 'A Tit'])
			expect((await runProgram({...place, args: ['verify', name]})).stdout).toContain(session);
		expect(await runProgram({...place, args: ['verify', 'no such title']})).toMatchObject({code: 1});

		const resumed = await openChat({...place, args: ['-r']});
		await resumed.waitFor(/❯ just now.*A title of mine/);
		resumed.write('\x14');
		await resumed.waitFor('◆ A title of mine');
		const [history] = await histories(home);
		const label = await readFile(join(dirname(history!), 'label.json'), 'utf8');
		expect(JSON.parse(label)).toMatchObject({title: 'A title of mine', pinned: true, facts: {turns: 1}});
		resumed.write('\r');
		await resumed.waitFor(/Renamed to “A title of mine”[^]*◦ idle/);
		await send(resumed, '/rename');
		await resumed.waitFor('Title removed');
		resumed.write('\x04');
		await resumed.exit;
		expect(JSON.parse(await readFile(join(dirname(history!), 'label.json'), 'utf8'))).not.toHaveProperty('title');
	});
});
