import {isBuiltin} from 'node:module';

/**
Returns a rolldown plugin for Node's own modules. An import of one makes Node create a facade for it, which runs every
getter of that module: `node:process` costs 8 ms, `node:util` and `node:fs` 5 ms each (docs/start.md). So the output
takes them with `process.getBuiltinModule`, and the sources keep their imports.
*/
export function builtinsPlugin() {
	return {
		name: 'builtins',
		async renderChunk(code) {
			const rewritten = await withoutBuiltinImports(code, text => this.parse(text));
			return rewritten === code ? null : {code: rewritten, map: null};
		},
	};
}

/**
Replaces the static imports of Node's modules in a chunk. The functions and classes of `lazyModules` are taken at their
first use. Throws for an import that it cannot replace. An `import()` stays as it is: it runs when it is used.
*/
export async function withoutBuiltinImports(code, parse) {
	const {body} = parse(code);
	const exported = body.find(({type, source}) => type !== 'ImportDeclaration' && isBuiltin(source?.value ?? ''));
	if (exported !== undefined) throw new Error(`a chunk exports names of ${exported.source.value}`);
	const imports = body.filter(({type, source}) => type === 'ImportDeclaration' && isBuiltin(source.value));
	let text = '';
	let at = 0;
	for (const {start, end, source, specifiers} of imports) {
		text += code.slice(at, start) + (await declarationsOf(source.value, specifiers));
		at = end;
	}
	return text + code.slice(at);
}

/** Modules that the first frame does not need. Each takes up to 9 ms to load. */
const lazyModules = ['node:crypto', 'node:os', 'node:v8', 'node:vm'];

/** @returns {Promise<string>} the declarations that replace one import */
async function declarationsOf(specifier, specifiers) {
	const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
	const module = `globalThis.process${name === 'node:process' ? '' : `.getBuiltinModule(${JSON.stringify(name)})`}`;
	const named = specifiers.filter(({type}) => type === 'ImportSpecifier').map(specifierNames);
	const isDefault = ({imported}) => imported === 'default';
	const whole = [
		...specifiers.filter(({type}) => type !== 'ImportSpecifier').map(({local}) => local.name),
		...named.filter(isDefault).map(({local}) => local),
	];
	const members = named.filter(each => !isDefault(each));
	if (lazyModules.includes(name)) return lazily(await import(name), module, {whole, members});
	const taken = members.map(({imported, local}) => (imported === local ? local : `${imported}: ${local}`));
	return [
		...whole.map(local => `const ${local} = ${module};`),
		...(taken.length === 0 ? [] : [`const {${taken.join(', ')}} = ${module};`]),
	].join(' ');
}

function specifierNames({imported, local}) {
	return {imported: imported.name ?? imported.value, local: local.name};
}

/**
Returns the declarations for the names of a module that loads at the first use of one of them. A declared function calls
the function of the module. The module itself and its classes are proxies. Other values cannot be delayed, so they are
taken at once.
*/
function lazily(found, module, {whole, members}) {
	return [
		...whole.map(local => `const ${local} = new Proxy({}, {get: (_, name) => ${module}[name]});`),
		...members.map(({imported, local}) => {
			const member = `${module}.${imported}`;
			if (typeof found[imported] !== 'function') return `const ${local} = ${member};`;
			// Some functions are called for each line of a history, and `getBuiltinModule` takes half a microsecond.
			const kept = `let ${local}$made; const ${local} =`;
			if (!/^[A-Z]/u.test(imported)) return `${kept} (...values) => (${local}$made ??= ${member})(...values);`;
			const construct = `construct: (_, values) => Reflect.construct(${member}, values)`;
			return `const ${local} = new Proxy(function () {}, {${construct}, get: (_, name) => ${member}[name]});`;
		}),
	].join(' ');
}
