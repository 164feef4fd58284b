// Runs before the tests in each of their processes: `node --import`. Node itself loads the modules, removes their types
// and keeps the compiled code for the next run. Only JSX needs a transform. Code runs faster than in Vite's module
// runner, which reads each import through a getter.
import {readFileSync} from 'node:fs';
import {createRequire, enableCompileCache, registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';

const require = createRequire(import.meta.url);

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled-tests', import.meta.url)));
registerHooks({
	load(url, context, nextLoad) {
		const [address] = url.split('?');
		return address.endsWith('.tsx') ? withoutJsx(fileURLToPath(address)) : nextLoad(url, context);
	},
});

// The tests run the production build of React, which has no development JSX.
function withoutJsx(file) {
	const {transformSync} = require('rolldown/utils');
	const jsx = {runtime: 'automatic', development: false};
	const {code, map, errors} = transformSync(file, readFileSync(file, 'utf8'), {lang: 'tsx', jsx, sourcemap: true});
	if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
	const inline = Buffer.from(JSON.stringify(map)).toString('base64');
	return {
		format: 'module',
		source: `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`,
		shortCircuit: true,
	};
}
