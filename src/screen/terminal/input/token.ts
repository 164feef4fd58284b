/**
A piece of terminal input that is not decoded yet. `text` contains only printable characters. `control` is one C0 code
or DEL. `csi` and `ss3` are complete sequences. `paste` is a whole bracketed paste. `reply` is the body of a control
string, which only a terminal sends. `fragment` is an incomplete sequence, or a C1 control that begins no sequence.
`alt`: an ESC came before the token. An old mouse report is a `csi` whose body is `M` and three bytes. `late`: the
previous Escape key was the beginning of the next token.
*/
export type Token =
	| {readonly type: 'text'; readonly text: string; readonly alt: boolean}
	| {readonly type: 'control'; readonly code: number; readonly alt: boolean}
	| {readonly type: 'csi'; readonly body: string; readonly final: string; readonly alt: boolean}
	| {readonly type: 'ss3'; readonly body: string; readonly final: string; readonly alt: boolean}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean}
	| {readonly type: 'reply'; readonly kind: StringKind; readonly body: string}
	| {readonly type: 'fragment'; readonly text: string}
	| {readonly type: 'late'};
export type TokenOf<Type extends Token['type']> = {
	readonly [Each in Type]: Extract<Token, {readonly type: Each}> & {readonly type: Each};
}[Type];
export type StringKind = 'osc' | 'dcs' | 'apc' | 'pm' | 'sos';
