import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {hostileToml} from '../../../helpers/hostile-toml.ts';

const program = fileURLToPath(new URL('../../../helpers/load-hostile-toml.ts', import.meta.url));

/** A linear reader needs far less time for all texts, and a quadratic one needs minutes. */
const killedAfterMs = 60_000;

describe('a hostile inkpod.toml', () => {
	it.each([30_000, 200_000])(
		'of %i characters results in a manifest or in one short sentence',
		async size => {
			const {stdout} = await promisify(execFile)(process.execPath, [program, String(size)], {
				timeout: killedAfterMs,
			});
			const results = stdout
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line) as [string, string]);
			expect(results.map(([name]) => name)).toEqual(Object.keys(hostileToml(size)));
			for (const [name, sentence] of results) {
				expect.soft(sentence, name).toMatch(/^(?:ok|[^\n]{1,900}[.])$/);
				expect.soft(sentence, name).not.toMatch(/call stack|aborting/);
			}
		},
		killedAfterMs + 10_000,
	);
});
