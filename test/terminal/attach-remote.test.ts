import {chmod, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {idle, listening, openChat, send} from '../helpers/chat.ts';
import {sharedPlace} from '../helpers/serve.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** Creates a folder with a program `ssh` that runs the command in another home of this machine. */
async function fakeSsh(home: string, runtime: string): Promise<string> {
	const {dir} = await tempProject({});
	const inkpod = `exec '${process.execPath}' '${await builtProgram()}' "$@"`;
	const ssh = `for command; do :; done
export HOME='${home}' XDG_RUNTIME_DIR='${runtime}' PATH='${dir}:/usr/bin:/bin'
exec sh -c "$command"`;
	for (const [name, text] of Object.entries({inkpod, ssh})) {
		await writeFile(join(dir, name), `#!/bin/sh\n${text}\n`);
		await chmod(join(dir, name), 0o755);
	}
	return dir;
}

it('a terminal shows a session of another machine, and takes part in it', async () => {
	const inside = await sharedPlace();
	const first = await openChat(inside);
	await first.waitFor(idle);
	await listening(inside.env['XDG_RUNTIME_DIR']!);
	await send(first, 'hello');
	await first.waitFor(/▌ hello[^]*◦ idle/);
	const outside = await sharedPlace({}, {PATH: await fakeSsh(inside.home, inside.env['XDG_RUNTIME_DIR']!)});
	const id = /^[0-9A-Z]{26}/.exec(await sessionIn(inside.env['XDG_RUNTIME_DIR']!))![0];
	const second = await openChat({...outside, args: ['attach', `box:${id}`]});
	await second.waitFor(/Attached to the session on box[^]*◦ idle/);
	await second.waitFor('▌ hello');
	await send(second, 'from outside');
	await first.waitFor(/▌ from outside[^]*◦ idle/);
	await second.waitFor(/▌ from outside[^]*◦ idle/);
	second.write('\x04');
	expect(await second.exit).toEqual({code: 0, signal: undefined});
	expect(second.screen()).toContain(`Attach again with: inkpod attach box:${id}`);
});

async function sessionIn(runtime: string): Promise<string> {
	return (await readdir(join(runtime, 'inkpod'))).find(name => name.endsWith('.sock'))!;
}
