#!/usr/bin/env node
// Starts inkpod. This file uses only plain syntax and no imports, so that an old Node can run it and say why it stops.
var needed = [22, 19];

function isTooOld(version) {
	var parts = version.split('.').map(Number);
	return parts[0] < needed[0] || (parts[0] === needed[0] && parts[1] < needed[1]);
}

// The user's own directory, never the shared temporary one: code in a compile cache is executed.
function compileCacheDirectory(env) {
	if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME + '/inkpod/compile';
	return env.HOME ? env.HOME + '/.cache/inkpod/compile' : undefined;
}

if (isTooOld(process.versions.node)) {
	process.stderr.write(
		'inkpod needs Node.js ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '.\n',
	);
	process.exitCode = 2;
} else {
	var cache = compileCacheDirectory(process.env);
	if (cache) process.getBuiltinModule('node:module').enableCompileCache(cache);
	void import('./app.js');
}
