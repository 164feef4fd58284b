#!/usr/bin/env node
// Starts inkpod. This file uses only plain syntax and no imports, so that an old Node can run it and say why it stops.
var needed = [22, 19];

function isTooOld(version) {
	var parts = version.split('.').map(Number);
	return parts[0] < needed[0] || (parts[0] === needed[0] && parts[1] < needed[1]);
}

// Node executes the code in a compile cache. So the cache is in the user's own directory, never in the shared temporary
// directory. A relative path is not used, because it would lead into the project. A directory that another user can
// replace is not used either.
function compileCacheDirectory(env) {
	if (isAbsolute(env.XDG_CACHE_HOME)) return ownDirectory(env.XDG_CACHE_HOME + '/inkpod/compile');
	return isAbsolute(env.HOME) ? ownDirectory(env.HOME + '/.cache/inkpod/compile') : undefined;
}

// U+FFFD may replace a byte that is not UTF-8, so the real path may be different.
function isAbsolute(path) {
	return path !== undefined && path[0] === '/' && path.indexOf('\ufffd') === -1;
}

// Creates a directory and returns its real path, if only this user and root can change it and the path to it.
function ownDirectory(path) {
	var fs = process.getBuiltinModule('node:fs');
	try {
		fs.mkdirSync(path, {recursive: true, mode: 448});
		var real = fs.realpathSync(path);
		for (var at = real; isOwn(fs.statSync(at || '/'), at === real); at = at.slice(0, at.lastIndexOf('/'))) {
			if (at === '') return real;
		}
	} catch {
		// A start without a compile cache is slower, but works.
	}
	return undefined;
}

// In a sticky directory such as /tmp, others cannot replace files of this user. They can add files.
function isOwn(stats, isLast) {
	var others = stats.mode & 2;
	return (stats.uid === 0 || stats.uid === process.getuid()) && (!others || (!isLast && (stats.mode & 512) !== 0));
}

// Without this listener, any process of the user could open Node's debugger with this signal, and run code in inkpod.
process.on('SIGUSR1', function () {});

if (isTooOld(process.versions.node)) {
	process.stderr.write(
		'inkpod needs Node.js ' +
			needed.join('.') +
			' or newer; this is ' +
			process.versions.node +
			'.\n' +
			'Get it from https://nodejs.org/en/download, or with nvm: nvm install 24\n' +
			'In a checkout of inkpod, npm start runs the Node.js that npm ci installed.\n',
	);
	process.exitCode = 2;
} else {
	var cache = compileCacheDirectory(process.env);
	if (cache) process.getBuiltinModule('node:module').enableCompileCache(cache);
	// Every command ends with process.exit. So this event occurs only if the program did not finish loading.
	process.on('beforeExit', function () {
		process.stderr.write('inkpod stopped before it ran the command. Install it again, or report this bug.\n');
		process.exit(1);
	});
	void import('./app.js');
}
