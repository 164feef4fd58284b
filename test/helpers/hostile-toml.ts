/** Texts of about `size` characters that could take a TOML parser much more time than their length suggests. */
export function hostileToml(size: number): Readonly<Record<string, string>> {
	const repeat = (part: string) => part.repeat(Math.ceil(size / part.length));
	const count = (line: (index: number) => string) => {
		let text = '';
		for (let index = 0; text.length < size; index++) text += line(index);
		return text;
	};
	return {
		'an unknown list of many lines': `x = [\n${repeat('1,\n')}]\n`,
		'an unknown text of many lines': `x = """\n${repeat('a\n')}"""\n`,
		'a wrong type of many lines': `[scope]\nwritable = [\n${repeat('\n')}]\n`,
		'a wrong type before lists': `max_turns = "x"\n${count(index => `a${index} = [\n\n\n\n]\n`)}`,
		'many unknown lists': count(index => `a${index}=[\n1\n]\n`),
		'inline tables in a list': `x = [\n${count(index => `{a=${index}},\n`)}]\n`,
		'dates in a list': `x = [\n${repeat('1979-05-27,\n')}]\n`,
		'a closed deep list': `x=${'['.repeat(size / 2)}${']'.repeat(size / 2)}\n`,
		'an open deep list': `x=${'['.repeat(size)}`,
		'an open deep list, a level a line': `x=${repeat('[\n')}`,
		'a deep inline table': `x=${'{a='.repeat(size / 4)}1${'}'.repeat(size / 4)}\n`,
		'a key with very many dots': `a${repeat('.a')}=1\n`,
		'a header with very many dots': `[a${repeat('.a')}]\nb=1\n`,
		'headers with many dots': count(index => `[${'a.'.repeat(100)}b${index}]\n`),
		'nested arrays of tables': count(index => `[[a${'.a'.repeat(index)}]]\n`),
		'an array of tables': repeat('[[permission]]\n'),
		'many keys': count(index => `k${index}=1\n`),
		'keys that are numbers': count(index => `${index * 1_000_003}=1\n`),
		'keys with a common way': count(index => `a.b.c${index}=1\n`),
		'one key very often': repeat('max_turns=1\n'),
		'a very long key': `"${'é'.repeat(size / 2)}"=1\n`,
		'a very long number': `max_turns=${'9'.repeat(size)}\n`,
		'underscores in a number': `max_turns=${repeat('1_')}1\n`,
		'a very long hexadecimal number': `max_turns=0x${'f'.repeat(size)}\n`,
		'a very long fraction': `max_turns=1.${'1'.repeat(size)}\n`,
		'a very exact date': `x=1979-05-27T07:32:00.${'9'.repeat(size)}Z\n`,
		escapes: `x="${repeat('\\u0041')}"\n`,
		'an open text': `x="${'a'.repeat(size)}`,
		'an open text of many lines': `x="""${repeat('""\n')}`,
		'nothing but quotes': repeat('"""\n'),
		'nothing but blanks': `${' '.repeat(size)}x`,
		'nothing but comments': `${repeat('#\n')}x=1\n`,
		'nothing but carriage returns': `x=1${'\r'.repeat(size)}`,
		'broken on the last line': `${repeat('#\n')}x=\n`,
		'a wide inline table': `x={${count(index => `a${index}=1,`)}z=1}\n`,
		'rules with many alternatives': repeat(
			`[[permission]]\ntool="write_file"\nmatch="${'{a,b}'.repeat(8)}${'x'.repeat(900)}"\naction="deny"\n`,
		),
		'rules with nested alternatives': repeat(
			`[[permission]]\ntool="edit_file"\nmatch="${'{'.repeat(450)}a${'}'.repeat(450)}"\naction="deny"\n`,
		),
		'rules with many wildcards': repeat(
			`[[permission]]\ntool="${'*'.repeat(250)}"\nmatch="${'*?'.repeat(400)}"\naction="deny"\n`,
		),
		'very many rules': repeat('[[permission]]\ntool="b"\naction="deny"\n'),
		'a rule that is wrong at the end': [
			repeat('[[permission]]\ntool="b"\naction="deny"\n'),
			'[[permission]]\ntool="b"\naction="x"\n',
		].join(''),
		'a pwd with very many dots': `[scope]\npwd="${repeat('../')}"\n`,
		'a very long pwd': `[scope]\npwd="${repeat('a/')}"\n`,
		'unknown providers': count(index => `[providers.p${index}]\nx=1\n`),
	};
}
