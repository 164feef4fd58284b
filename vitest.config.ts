import {defineConfig} from 'vitest/config';

const long = process.env['INKPOD_TEST'] === 'long';
/** They need packages of the system, and most of them run hundreds of confined commands. */
const system = long || process.env['INKPOD_TEST'] === 'system' ? ['test/system/**/*.test.ts'] : [];

/**
They measure the memory of their process, load a module for the first time, trust certificates, start Ink, or fake the
clock.
*/
const alone = [
	'test/pod/remote/attach/server.hostile.test.ts',
	'test/pod/servers/mcp/mcp.hostile.test.ts',
	'test/pod/tools/processes/*.test.ts',
	'test/pod/scope/read.test.ts',
	'test/pod/references/submission/submission.disk.test.ts',
	'test/pod/tools/commands/bash.test.ts',
	'test/screen/mount/{draw,open-screen}*.test.ts',
	'test/screen/control/load-session.highlight.test.ts',
	'test/worker/wires/http/certificates.test.ts',
	'test/worker/wires/http/guarded-fetch.test.ts',
	'test/worker/wires/model.size.test.ts',
	'test/worker/wires/stall-timeout.test.ts',
];
/** They load a module again with other variables, which only Vite's module runner can. */
const reloading = ['test/language/translate*.test.ts', 'test/pod/disk/files.test.ts'];
/** Node loads the modules, not Vite: calls between modules run faster. Mocks of modules do not work. */
const native = {
	experimental: {viteModuleRunner: false, nodeLoader: false},
	execArgv: ['--import', new URL('scripts/test-loader.mjs', import.meta.url).href],
};
/** The threads of V8's garbage collector compete with the other workers, and a small young generation fills often. */
const memory = ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'];
/** These files share a few processes, so each module is loaded once a process. A trace fails its file. */
const shared = {
	...native,
	execArgv: [...native.execArgv, ...memory],
	isolate: false,
	setupFiles: ['test/helpers/shared-process.ts'],
};

export default defineConfig({
	// The tests run the production build of React, which has no development JSX.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	test: {
		env: {FORCE_COLOR: '3', NODE_ENV: 'production', INKPOD_LANGUAGE: 'en'},
		testTimeout: long ? 1_800_000 : 60_000,
		hookTimeout: 120_000,
		// The polled condition becomes true, however slow the machine is. The default of one second would be too short.
		expect: {poll: {timeout: 20_000}},
		// Many tests wait for processes, so twice as many as the two cores keep both busy.
		maxWorkers: 4,
		// In CI a busy machine may stop for seconds. A failed test runs once more there, and the end of the run names it.
		retry: process.env['CI'] === undefined ? 0 : 1,
		reporters: ['default', './scripts/summary-reporter.mjs'],
		projects: [
			{extends: true, test: {...native, name: 'alone', include: [...alone, ...system]}},
			{
				extends: true,
				test: {
					...shared,
					name: 'inside',
					include: ['test/**/*.test.{ts,tsx}'],
					exclude: [...alone, ...reloading, 'test/{system,terminal}/**'],
				},
			},
			{extends: true, test: {name: 'reloading', include: reloading}},
			{extends: true, test: {...shared, name: 'terminal', include: ['test/terminal/**/*.test.ts']}},
		],
	},
});
