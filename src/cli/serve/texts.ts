import {t} from '../../language/index.ts';

export function serving(path: string): string {
	return t`inkpod serves sessions on ${path}. Stop it with Ctrl+C or SIGTERM: running turns are paused and saved.`;
}

/** The comment at the start of the file for the system's service manager. */
export const unitHeads = {
	systemd: [
		t`Save this as ~/.config/systemd/user/inkpod.service. Then run:`,
		t`  systemctl --user daemon-reload && systemctl --user enable --now inkpod`,
		t`To keep it running after you log out: loginctl enable-linger`,
		t`The service does not get API keys from your shell. Store them with: inkpod login PROVIDER`,
	],
	launchd: [
		t`Save this as ~/Library/LaunchAgents/inkpod.serve.plist. Then run:`,
		t`  launchctl load -w ~/Library/LaunchAgents/inkpod.serve.plist`,
		t`The service does not get API keys from your shell. Store them with: inkpod login PROVIDER`,
	],
} as const;

export const unitDescription = t`inkpod sessions without a terminal`;

export function started(id: string): string {
	return `${id}\n`;
}

export function startedHint(id: string): string {
	return t`The task runs without a terminal. Watch it with: inkpod attach ${id}`;
}

export const bgNeedsPrompt = t`inkpod --bg needs a task, such as: inkpod --bg "fix the failing test"`;

export const bgNeedsId = t`--bg needs a session id after -r.`;

/** The comment in a file that inkpod itself saves. */
export const unitMark = t`inkpod wrote this file. If you change it, inkpod leaves it as it is.`;

/** The texts about the service that inkpod starts after a question. */
export const serviceTexts = {
	/** The texts that say what happens to the file of the service. */
	files: {
		absent: (path: string) => t`Write ${path}`,
		same: (path: string) => t`Use ${path}`,
		old: (path: string) => t`Replace ${path}, which inkpod wrote`,
		yours: (path: string) => t`Use ${path} as it is, because it is yours`,
	},
	title: t`No inkpod server is running. Start it as a service?`,
	facts: t`The service does not get API keys from your shell. Store them with inkpod login. It starts at each login,
		unless the file is yours. On Linux it ends when you log out, unless you run: loginctl enable-linger`,
	accept: t`Yes, start it`,
	decline: t`No`,
	starting: t`Starting the inkpod service …`,
	/** The question of a command. The user types a letter. */
	prompt: t`Start it? [y/N] `,
	failed: (command: string, why: string) => t`The service was not started: ${command}: ${why}`,
	tooLong: t`no answer after 30 seconds`,
	silent: (command: string) => t`The service was started, but does not answer. To see why: ${command}`,
	notWritten: (path: string, code: string) => t`Cannot write ${path} (${code}).`,
} as const;
