import {realpathSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {findProgram, isProgram} from '../../platform/programs.ts';
import {systemOf} from '../../platform/system.ts';
import type {Scope} from '../../scope/scope.ts';

/**
Returns the absolute path of ripgrep: `rg` in PATH, or otherwise the program of @vscode/ripgrep if the user has
installed that package. It skips a relative entry of PATH and a program in the scope, because inkpod never runs a
project's own files.
*/
export function findRipgrep(
	path: string | undefined,
	scope: Scope,
	resolvePackage: ResolvePackage = createRequire(import.meta.url).resolve,
): string | undefined {
	const found = findProgram('rg', path, scope.pwd) ?? packedRipgrep(resolvePackage);
	return found !== undefined && isProgram(found, scope.pwd) ? realpathSync(found) : undefined;
}

/** Returns the file of a module. Throws if the module does not exist. */
type ResolvePackage = (specifier: string, options?: {readonly paths?: string[]}) => string;

/** Returns the program of @vscode/ripgrep. Each platform has its own package. No code of these packages runs. */
function packedRipgrep(resolvePackage: ResolvePackage): string | undefined {
	try {
		const beside = dirname(resolvePackage('@vscode/ripgrep'));
		return resolvePackage(`@vscode/ripgrep-${systemOf().name}-${process.arch}/bin/rg`, {
			paths: [beside],
		});
	} catch {
		return undefined;
	}
}
