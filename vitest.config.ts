import {defineConfig} from 'vitest/config';

const long = process.env['INKPOD_TEST'] === 'long';

export default defineConfig({
	// The tests run the production build of React, which has no development JSX.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	test: {
		env: {FORCE_COLOR: '3', NODE_ENV: 'production'},
		testTimeout: long ? 1_800_000 : 60_000,
		hookTimeout: 120_000,
		// The polled condition becomes true, however slow the machine is. The default of one second would be too short.
		expect: {poll: {timeout: 20_000}},
		// Many tests wait for processes, so one more than the two cores keeps both busy.
		maxWorkers: 3,
		reporters: ['default', './scripts/summary-reporter.mjs'],
		projects: [
			{extends: true, test: {name: 'inside', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/terminal/**']}},
			// Whole programs run on ptys, and a busy machine may stop for seconds. A failed test runs once more, and the end names it.
			{extends: true, test: {name: 'terminal', include: ['test/terminal/**/*.test.ts'], retry: process.env['CI'] === undefined ? 0 : 1}},
		],
	},
});
