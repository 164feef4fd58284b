import {defineConfig} from 'vitest/config';

const long = process.env['INKPOD_TEST'] === 'long';

export default defineConfig({
	// The tests run the production build of React, which has no development JSX.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		env: {FORCE_COLOR: '3', NODE_ENV: 'production'},
		testTimeout: long ? 1_800_000 : 60_000,
		hookTimeout: 120_000,
		maxWorkers: 2,
		reporters: ['default', './scripts/summary-reporter.mjs'],
	},
});
