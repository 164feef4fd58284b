import {readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {createAsideFile} from '../../../src/pod/btw/aside-file.ts';
import {createSession} from '../../../src/pod/session/create.ts';
import {historyFile} from '../../../src/pod/session/paths.ts';
import {systemClock, type Item} from '../../../src/worker/index.ts';
import {tempHome} from '../session/fixture.ts';

const message = (id: string, text: string): Item => ({
	id,
	at: '2026-01-01T00:00:00.000Z',
	type: 'message',
	role: 'user',
	text,
});

it('a side question continues without its file when that cannot be written, and says so once', async () => {
	const home = await tempHome();
	const clock = systemClock();
	const session = createSession({root: home.root, cwd: home.cwd}, clock);
	await session.log.write([message('a', 'hello')]);
	const problems: string[] = [];
	const file = createAsideFile(session, clock, problem => problems.push(problem));
	await rm(session.dir, {recursive: true});
	await file.log.write([message('b', 'why')]);
	await file.log.write([message('c', 'and')]);
	file.stream([{item: message('d', ''), text: 'x'}]);
	expect(problems).toHaveLength(1);
	await expect(readFile(historyFile(join(session.dir)))).rejects.toThrow('ENOENT');
	await file.close();
});
