import {describe, expect, it} from 'vitest';
import {toolProject} from '../helpers/tool-project.ts';
it('x', async () => {
	const p = await toolProject({'package.json': '{"name":"a","version":"1.0.0"}', '../home/x': ''});
	for (const c of ['ls -la', 'npm install is-odd; echo $?', 'ls; env', 'cargo --version', 'python3 --version', 'go version', 'mvn -v'] ) {
		const t = performance.now();
		console.log(c, await p.inside(c, c.startsWith('npm') ? 'network' : 'keep'), performance.now() - t);
	}
	console.log(p.changesAtHome());
});
