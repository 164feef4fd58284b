/**
What the bytes of a terminal say, before anybody asks what it means.
`text` holds printable characters only; `control` one C0 code or DEL; `csi` and `ss3` complete sequences; `paste` a
bracketed paste, whole; `reply` the body of a string that only a terminal writes; `fragment` a sequence that broke off,
or a C1 control that opens nothing. `alt`: an ESC was before it. An old mouse report is a `csi` whose body is `M` and
its three bytes. `late`: the Escape key before was the beginning of what follows.
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
