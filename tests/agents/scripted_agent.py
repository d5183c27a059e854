#!/usr/bin/env python3
"""A coding agent that does as its brief says.

It answers as real ones do: JSON lines on standard output, an end event with its usage. What it does
stands in the brief, as the task's inputs, one directive a line:

    @write <path> <text>      @append <path> <text>     @remove <path>
    @commit <message>         @git <words>              @sh <command>
    @output <text>            @finding <json>           @say <text>
    @wait-for <path>          until that file exists    @sleep <seconds>
    @once <path>              fails with 75 unless that file exists, and makes it
    @exit <status>            @kill <signal>
    @spawn-escaped <path>     a process in its own session that writes its pid there and stays
    @ignore-term              @fail-turn                an end event that says "error"

${NAME} in a directive is a variable of the environment.
"""
import json
import os
import signal
import subprocess
import sys
import time


def event(kind, **fields):
    print(json.dumps({"type": kind, **fields}), flush=True)


def expand(text):
    for name, value in os.environ.items():
        text = text.replace("${" + name + "}", value)
    return text


def write(path, text, mode):
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode, encoding="utf-8") as file:
        file.write(text.replace("\\n", "\n") + "\n")


def escaped(path):
    code = ("import os,signal,time\n"
            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            f"open({path!r}, 'w').write(str(os.getpid()))\n"
            "time.sleep(3600)\n")
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    while not os.path.exists(path):
        time.sleep(0.01)


def do(name, rest):
    first, _, tail = rest.partition(" ")
    if name in ("write", "append"):
        write(first, tail, "w" if name == "write" else "a")
    elif name == "remove":
        os.remove(rest)
    elif name == "commit":
        subprocess.run(["git", "add", "-A"], check=True)
        subprocess.run(["git", "commit", "-q", "-m", rest], check=True)
    elif name == "git":
        subprocess.run(["git", *rest.split()], check=False)
    elif name == "sh":
        subprocess.run(["sh", "-c", rest], check=False)
    elif name == "output":
        write(os.environ["PLAN_OUTPUT"], rest, "w")
    elif name == "finding":
        write(os.environ["PLAN_FINDINGS"], rest, "a")
    elif name == "say":
        event("assistant", text=rest)
    elif name == "wait-for":
        while not os.path.exists(rest):
            time.sleep(0.02)
    elif name == "sleep":
        time.sleep(float(rest))
    elif name == "once":
        if not os.path.exists(rest):
            write(rest, "", "w")
            sys.exit(75)
    elif name == "exit":
        sys.exit(int(rest))
    elif name == "kill":
        os.kill(os.getpid(), getattr(signal, "SIG" + rest))
    elif name == "spawn-escaped":
        escaped(rest)
    elif name == "ignore-term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif name == "fail-turn":
        event("result", subtype="error_during_execution", is_error=True)
        sys.exit(0)
    else:
        sys.exit(f"unknown directive @{name}")


def main():
    event("system", subtype="init", session_id="scripted", cwd=os.getcwd())
    turns = 0
    for line in sys.stdin.read().splitlines():
        line = line.strip().removeprefix("- ")
        if line.startswith("@"):
            name, _, rest = line[1:].partition(" ")
            do(name, expand(rest))
            turns += 1
    event("result", subtype="success", is_error=False, num_turns=turns, total_cost_usd=0.01,
          usage={"input_tokens": 100, "output_tokens": 20})


main()
