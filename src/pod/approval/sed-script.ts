/**
Tells whether a script of sed may run lines of its input: the command `e` without a command of its own, or with one that
the shell expands, or the flag `e` of `s`. Nobody knows the input, so it may be any command.
*/
export function runsInput(command: string): boolean {
	const at = command.search(sed);
	return at >= 0 && (bareCommand.test(command.slice(at)) || scriptCommand.test(command.slice(at)));
}

/** Returns the texts that `s` puts in with a letter as its delimiter and with the flag `e`: `sAxAcommandAe`. */
export function replacements(command: string): readonly string[] {
	const at = command.search(sed);
	if (at < 0) return [];
	return Array.from(command.slice(at).matchAll(letterDelimited), ([, , , text = '']) => text);
}

const sed = /(?:^|[^\w-])g?sed\s/;
const bareCommand = /sed\s+(?:-\w+\s+)*e(?=\s|$)/;
const scriptCommand = /(?:['"{;\d$!}]\s{0,9}|[/|,:#@%][gpimIM\d]{0,9})e[gpimIM\d]{0,9}(?=['"\s;}$`]|$)/;
const letterDelimited =
	/(?<![\p{L}\p{N}])s([\p{L}\p{N}_.-])([^\n]{1,200}?)\1([^\n]{1,200}?)\1[gpimIM\d]{0,9}e(?![\p{L}\p{N}])/gu;
