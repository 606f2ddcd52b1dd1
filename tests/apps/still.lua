-- SPDX-License-Identifier: MIT
-- Copyright the Kobalt authors
--
-- mpv runs this: once the first frame stands in the window, it is written to the file of the option "picture".
local taken = false
mp.register_event("playback-restart", function()
    if taken then return end
    taken = true
    mp.add_timeout(0.5, function()
        mp.commandv("screenshot-to-file", mp.get_opt("picture"), "window")
        mp.commandv("quit")
    end)
end)
