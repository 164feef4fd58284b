import {realpathSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {findProgram, isProgram} from '../processes/programs.ts';
import type {Scope} from '../scope/scope.ts';

/**
The `rg` of PATH, else the one of the package @vscode/ripgrep where a person has installed it beside inkpod, as an
absolute path. A relative entry of PATH, and a program that lies in the scope, are passed over: a project's own files
are not executed.
*/
export function findRipgrep(
	path: string | undefined,
	scope: Scope,
	resolvePackage: ResolvePackage = createRequire(import.meta.url).resolve,
): string | undefined {
	const found = findProgram(programName, path, scope.pwd) ?? packedRipgrep(resolvePackage);
	return found !== undefined && isProgram(found, scope.pwd) ? realpathSync(found) : undefined;
}

/** Returns the file of a module. Throws if there is none. */
export type ResolvePackage = (specifier: string, options?: {readonly paths?: string[]}) => string;

const programName = process.platform === 'win32' ? 'rg.exe' : 'rg';

/**
The program lies in a package of its own for each platform, from which @vscode/ripgrep resolves it. Nothing of either is
executed here.
*/
function packedRipgrep(resolvePackage: ResolvePackage): string | undefined {
	try {
		const beside = dirname(resolvePackage('@vscode/ripgrep'));
		return resolvePackage(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${programName}`, {
			paths: [beside],
		});
	} catch {
		return undefined;
	}
}
