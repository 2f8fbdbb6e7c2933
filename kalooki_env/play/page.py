"""The page that shows a table in a browser; it asks nothing of any other machine."""

PAGE = """\
<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ application.name }}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="{{ config.static.url }}css/xterm.css">
    <script src="{{ config.static.url }}js/textual.js"></script>
    <style>
      body { background: #0b3d2e; color: #f0f4ef; font-family: monospace; }
      .notice { position: absolute; inset: 0; z-index: 10; display: flex; flex-direction: column;
                align-items: center; justify-content: center; background: #0b3d2e; }
      body.-first-byte .coming, .gone { display: none; }
      body.-closed .gone { display: flex; }
      button { font: inherit; padding: 1em 2em; margin: 1em; border: none; color: inherit;
               background: #1f6f54; cursor: pointer; }
    </style>
  </head>
  <body>
    <div class="notice coming">The cards are fetched ...</div>
    <div class="notice gone">
      The table is closed; a match that is not over can be gone on with.
      <button type="button" onclick="location.reload()">To a table</button>
    </div>
    <div id="terminal" class="textual-terminal" data-font-size="{{ font_size }}"
         data-session-websocket-url="{{ app_websocket_url }}"></div>
    <script>
      // The keys go to the terminal at once, without a click on it.
      const focus = () => document.querySelector("#terminal textarea")?.focus();
      new MutationObserver(focus).observe(document.body, {attributes: true});
      window.addEventListener("focus", focus);
    </script>
  </body>
</html>
"""
