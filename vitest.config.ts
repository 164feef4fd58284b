import {defineConfig} from 'vitest/config';

const long = process.env['INKPOD_TEST'] === 'long';
/** These tests need packages of the system, and most of them run hundreds of confined commands. */
const system = long || process.env['INKPOD_TEST'] === 'system' ? ['test/system/**/*.test.ts'] : [];

/**
These tests need their own process. They measure the memory of their process, load a module for the first time, trust
certificates, start Ink, or fake the clock.
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
	'test/worker/wires/ai-sdk.size.test.ts',
	'test/worker/wires/stall-timeout.test.ts',
];
/**
These files share a few processes, so each process loads a module only once. A file fails if it leaves changes in its
process.
*/
const shared = {isolate: false, setupFiles: ['test/helpers/shared-process.ts']};

export default defineConfig({
	// The tests run the production build of React, which has no development JSX.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	test: {
		env: {FORCE_COLOR: '3', NODE_ENV: 'production', INKPOD_LANGUAGE: 'en'},
		testTimeout: long ? 1_800_000 : 60_000,
		hookTimeout: 120_000,
		// The polled condition always becomes true in the end, but on a slow machine the default of one second is too
		// short.
		expect: {poll: {timeout: 20_000}},
		// Many tests wait for processes, so twice as many as the two cores keep both busy.
		maxWorkers: 4,
		// In CI a busy machine may stop for seconds. So a failed test runs a second time there, and the summary names
		// it.
		retry: process.env['CI'] === undefined ? 0 : 1,
		reporters: ['default', './scripts/summary-reporter.mjs'],
		projects: [
			{extends: true, test: {name: 'alone', include: [...alone, ...system]}},
			{
				extends: true,
				test: {
					...shared,
					name: 'inside',
					include: ['test/**/*.test.{ts,tsx}'],
					exclude: [...alone, 'test/{system,terminal}/**'],
				},
			},
			{extends: true, test: {...shared, name: 'terminal', include: ['test/terminal/**/*.test.ts']}},
		],
	},
});
