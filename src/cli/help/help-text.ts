/** The text of `inkpod --help`. */
export const helpText = `inkpod: chat with a model about the project in this directory. The transcript is the context.

  inkpod [prompt]            open the chat; a prompt is sent at once
  inkpod -p [prompt]         print the answer and exit; the prompt is the argument, stdin, or both
  inkpod -c, --continue      continue the most recent session in this directory
  inkpod -r, --resume [id]   resume a session by id or unique prefix; without an id, choose one from a list
  inkpod --fork [-r [id]]    resume as a copy, leaving the original unchanged
  inkpod attach [id]         attach to a session running in another terminal (HOST:ID: on another machine, by ssh)
  inkpod --bg [-r ID] TASK   begin a task in the server, without a terminal, and print its session id
  inkpod acp                 serve an editor over stdio with the Agent Client Protocol
  inkpod serve               keep sessions open without a terminal (--unit: print a systemd or launchd file)
  inkpod sessions            list the sessions of this directory (--needs, --search TEXT, --all, --json)
  inkpod verify <id>         check a session's history (--requests: rebuild its requests and compare), or a bundle
  inkpod replay <id>         play a session or a bundle step by step, read-only (--at ITEM, --speed N)
  inkpod repair <id>         make an intact copy of a damaged session and list what changed
  inkpod export <id>         print a session without its secrets, as a page to read or as a record to check
  inkpod import FILE         make a session from a history.json or an exported JSON
  inkpod delete <id>         move a session to the trash
  inkpod trash               list the trash (--restore ID: bring one back; --empty: delete all for good; --json)
  inkpod context <id>        show what the next request contains (--json; --request: its exact body)
  inkpod notify <id> TEXT    send a notification to a running session (--run: start a turn)
  inkpod models              list the models that you can choose, with window, price and key (--json)
  inkpod config              print all settings, their values and where those come from (--json)
  inkpod login PROVIDER      store a provider's key; it is asked for without an echo, or read from stdin
  inkpod logout PROVIDER     remove a stored key
  inkpod mcp serve           offer read_file, glob and grep to other programs (--write: also changes of files)
  inkpod mcp add NAME        add an MCP server: -- COMMAND ARGS, or a URL (--project, --env K=V, --header 'K: V')
  inkpod mcp list            list the MCP servers of this directory (--json)
  inkpod mcp remove NAME     remove an MCP server (--project)
  inkpod mcp login NAME      log in to an MCP server with the browser (--no-browser: only print the address)
  inkpod mcp logout NAME     remove the login at an MCP server
  inkpod doctor              check the terminal, keys, model, files and programs (--json)
  inkpod completions SHELL   print a script that completes arguments in bash, zsh or fish
  inkpod man                 print the manual page (inkpod man | man -l -)

  -p, --print                    print mode
      --output-format FORMAT     text, json or stream-json (print mode)
      --input-format FORMAT      text or stream-json: methods on stdin, a line each (print mode)
      --json-schema FILE         the last answer must match this JSON Schema (print mode)
      --model PROVIDER/NAME      anthropic, openai, google, openrouter, ollama, lmstudio, llama.cpp,
                                 openai-compatible, offline or scripted:FILE
      --effort LEVEL             none, minimal, low, medium, high or max: how much the model reasons
      --option KEY=VALUE         set max_output_tokens, temperature, top_p, stop or tools; repeat for more
      --max-turns N              stop a turn after N model calls
      --max-cost USD             ask before the session costs more; print mode ends with exit code 4
      --cwd DIR                  work in DIR
      --read-only                read-only: no file changes
      --writable                 let a session change files again that was read-only
      --add-dir DIR              also allow reading DIR (repeatable)
      --manifest FILE            use this inkpod.toml
      --approval MODE            ask, accept-edits, plan or auto: which tools run without asking
      --plan                     start in plan mode: read-only until you accept a plan
      --allow RULE               allow calls: a tool, or TOOL(PATTERN) such as 'bash(npm test*)' (repeatable)
      --deny RULE                deny calls; wins over --allow (repeatable)
      --system-prompt-file FILE  use this system prompt instead of the one of inkpod
      --trust                    trust this project's config for this run
      --trust-owner              use files of this directory's owner like your own for this run
      --no-confine               run commands without confinement (bubblewrap)
      --idle MINUTES             with serve: close sessions in which nothing happens (default 30)
      --no-socket                do not let other terminals attach
      --no-mouse                 leave the mouse to the terminal
      --inline                   render inline instead of using the alternate screen
      --screen-reader            print plain lines for a screen reader instead of the full screen
      --format FORMAT            with export: md, html, json or bundle
      --bundle                   with export: pack all that belongs to the session into one file (needs --to)
      --to FILE                  with export: write FILE instead of printing
      --exact                    with export: keep secrets
      --force                    with export: replace an existing file
      --dump                     print the transcript to the terminal when the chat ends
  -v, --version                  print the version
  -h, --help                     print this text

In the prompt, @path attaches a file, @path:10-20 some of its lines, @dir/ a directory, /name invokes a workflow.
`;
