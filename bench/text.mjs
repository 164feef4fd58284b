const words = [
	'a wide field of small stones lies open under the slow grey morning while two people walk along its edge and count',
	'what the night has left behind one names each thing aloud and the other writes it down so that nothing seen goes',
	'missing before noon then they turn back and read the list again from its first line',
].flatMap(line => line.split(' '));

/** Returns `count` tokens of a Markdown document with headings, prose, lists and code. The text is always the same. */
export function markdownTokens(count) {
	const tokens = [];
	for (let section = 1; tokens.length < count; section++)
		tokens.push(...(markdownSection(section).match(/\s?\w{1,6}|\s?[^\w\s]{1,3}|\s+/gu) ?? []));
	return closed(tokens.slice(0, count));
}

/** Returns the question and the answer of turn `turn` in a generated session. The answer ends with `code<turn>`. */
export function turnTexts(turn) {
	return {
		question: `Question ${turn}: ${phrase(turn, 12)}?`,
		answer: [
			`Answer ${turn}: ${phrase(turn + 3, 24)}.\n\n- ${phrase(turn + 5, 6)}\n- **${phrase(turn + 7, 3)}**\n`,
			`\`\`\`ts\nconst value = step(${turn});\n\`\`\`\n\nSee \`code${turn}\`.`,
		].join('\n'),
	};
}

function markdownSection(number) {
	const list = Array.from({length: 4}, (_, item) => `- ${phrase(number * 11 + item, 9)}\n`).join('');
	const code = Array.from(
		{length: 6},
		(_, line) => `\tconst ${words[line]}${number} = measure(${line}, "${phrase(line, 3)}");\n`,
	).join('');
	const prose = `${phrase(number * 7, 50)}, with **${phrase(number, 2)}** and \`name${number}()\`.`;
	const fence = `\`\`\`ts\nfunction step${number}() {\n${code}}\n\`\`\``;
	return `## ${number}. ${phrase(number, 4)}\n\n${prose}\n\n${list}\n${fence}\n\n`;
}

function phrase(start, length) {
	return Array.from({length}, (_, index) => words[(start + index * 7) % words.length]).join(' ');
}

// Closes a code block that was cut in the middle.
function closed(tokens) {
	const fences = tokens.join('').split('```').length - 1;
	return fences % 2 === 0 ? tokens : [...tokens.slice(0, -1), '\n```'];
}
