import {defineConfig} from 'vitest/config';

const long = process.env['INKPOD_TEST'] === 'long';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		env: {FORCE_COLOR: '3', NODE_ENV: 'production'},
		testTimeout: long ? 1_800_000 : 60_000,
		hookTimeout: 120_000,
		maxWorkers: 2,
	},
});
